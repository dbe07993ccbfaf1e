import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import Table2 from 'lucide-react/icons/table-2'
import { useState } from 'react'
import { q } from '../../../../query.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { Segments } from '../../../../ui/choices/segments.tsx'
import { Loaded } from '../../../../ui/notices/loaded.tsx'
import { Empty } from '../../../../ui/notices/states.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { Column, Grid, Row } from '../../../../ui/page/layout.tsx'
import { memoryUse } from '../../usage.ts'
import { useServer } from '../use-server.ts'
import { MetricsCharts } from './metrics-charts.tsx'
import type { Range } from './metrics-range.ts'
import { MetricsTable } from './metrics-table.tsx'

const RANGES: readonly { value: Range; label: string }[] = [
  { value: 'hour', label: 'Hour' },
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'quarter', label: '90 days' },
]
const REFRESH_MS: Readonly<Record<Range, number>> = {
  hour: 15_000,
  day: 60_000,
  week: 300_000,
  quarter: 900_000,
}

/** Past metrics, as charts or as a table. */
export default function MetricsTab() {
  const server = useServer()
  const memory = memoryUse(server)
  const { range = 'hour' } = useSearch({ from: '/in/servers/$id/metrics' })
  const navigate = useNavigate({ from: '/servers/$id/metrics' })
  const [asTable, setAsTable] = useState(false)
  const metrics = useQuery({
    ...q('GET /api/servers/{id}/metrics', { params: { id: server.id }, query: { range } }),
    refetchInterval: REFRESH_MS[range],
  })
  return (
    <Column>
      <Row between>
        <Segments
          label="Time range"
          value={range}
          choices={RANGES}
          onChange={(next) => void navigate({ search: { range: next }, replace: true })}
        />
        <Button icon={<Table2 />} aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show charts' : 'Show as table'}
        </Button>
      </Row>
      <Loaded query={metrics} lines={8}>
        {(found) =>
          found.points.length === 0 ? (
            <Card>
              <Empty title="No figures in this time">
                Figures are kept while the server runs. Start it, or choose a longer time.
              </Empty>
            </Card>
          ) : asTable ? (
            <Card flush>
              <MetricsTable metrics={found} memory={memory.label} />
            </Card>
          ) : (
            <Grid least={420}>
              <MetricsCharts metrics={found} memory={memory} />
            </Grid>
          )
        }
      </Loaded>
    </Column>
  )
}
