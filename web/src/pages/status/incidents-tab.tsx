import type { StatusIncident } from '@lodge/shared/status.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import { qAll } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import type { Column } from '../../ui/data/column.ts'
import { Pill } from '../../ui/data/status.tsx'
import { Table } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Row } from '../../ui/page/layout.tsx'
import { IncidentDialog } from './incident-dialog.tsx'
import { StatePill } from './looks.tsx'
import { t } from './words.ts'

const columns = (): readonly Column<StatusIncident>[] => [
  {
    header: t.incident,
    role: 'title',
    cell: ({ id, title }) => (
      <Link to={paths.statusIncident} params={{ id }} data-opens>
        {title}
      </Link>
    ),
  },
  {
    header: t.state,
    card: 'head',
    tight: true,
    cell: ({ state, publishedAt }) =>
      publishedAt === null ? <Pill tone="pend">{t.draft}</Pill> : <StatePill state={state} />,
  },
  {
    header: t.impact,
    tight: true,
    cell: ({ impact }) => (impact === null ? t.maintenance : t.impactOf({ impact })),
  },
  { header: t.begins, tight: true, cell: ({ startsAt }) => <Ago at={startsAt} /> },
  {
    header: t.updated,
    right: true,
    tight: true,
    cell: ({ updates: [last] }) => (last ? <Ago at={last.at} /> : null),
  },
]

/** Incidents and maintenance, the newest first. */
export default function IncidentsTab() {
  const incidents = useQuery(qAll('GET /api/status/incidents'))
  const may = useMay()('status.manage')
  const [making, setMaking] = useState<StatusIncident['kind']>()
  const make = may ? (
    <Row>
      <Button onClick={() => setMaking('maintenance')}>{t.planMaintenance}</Button>
      <Button kind="primary" icon={<Plus />} onClick={() => setMaking('incident')}>
        {t.newIncident}
      </Button>
    </Row>
  ) : undefined
  return (
    <Loaded query={incidents}>
      {({ items }) => (
        <Card title={t.incidentList} flush actions={items.length > 0 ? make : undefined}>
          <Table
            label={t.incidentList}
            keys
            rows={items}
            columns={columns()}
            keyOf={({ id }) => id}
            empty={
              <Empty title={t.noIncidents} art="calm" action={make}>
                {t.noIncidentsText}
              </Empty>
            }
          />
          {making === undefined ? null : (
            <IncidentDialog kind={making} onClose={() => setMaking(undefined)} />
          )}
        </Card>
      )}
    </Loaded>
  )
}
