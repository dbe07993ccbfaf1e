import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Reply } from '../../../api.ts'
import { saidReason } from '../../../panel/said.ts'
import { paths } from '../../../paths.ts'
import { q } from '../../../query.ts'
import { useMissing } from '../../../session/session.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { formatBytes } from '../../../ui/data/numbers.ts'
import { type Column, Table } from '../../../ui/data/table.tsx'
import { duration } from '../../../ui/data/time-words.ts'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Empty } from '../../../ui/notices/states.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Column as Stack, Text } from '../../../ui/page/layout.tsx'
import { useNode } from '../use-node.ts'
import { EvacuateDialog } from './evacuate-dialog.tsx'
import { LatestCard } from './latest-card.tsx'
import { t } from './words.ts'

type Plan = Reply<'GET /api/nodes/{id}/evacuation'>['plan']
type Planned = Plan[number]

const seconds = (count: number | null) => (count === null ? t.unknown : duration(count * 1000))

const columns = (): readonly Column<Planned>[] => [
  {
    header: t.server,
    role: 'title',
    cell: ({ serverId, serverName }) => (
      <Link to={paths.server} params={{ id: serverId }}>
        {serverName}
      </Link>
    ),
  },
  { header: t.size, cell: ({ bytes }) => (bytes === null ? t.unknown : formatBytes(bytes)) },
  {
    header: t.target,
    cell: ({ target, why, stops, backupsLeft }) => (
      <Stack gap={2}>
        <span>
          {target ? t.targetPlace({ node: target.nodeName, location: target.location }) : t.stays}
        </span>
        {why === null ? null : (
          <Text small muted>
            {saidReason(why)}
          </Text>
        )}
        {stops ? (
          <Text small muted>
            {t.stops}
          </Text>
        ) : null}
        {backupsLeft === 0 ? null : (
          <Text small muted>
            {t.backupsLeft({ count: backupsLeft })}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    header: t.takes,
    cell: ({ target, copySeconds }) => (target ? seconds(copySeconds) : null),
  },
  { header: t.off, cell: ({ target, offSeconds }) => (target ? seconds(offSeconds) : null) },
]

/** The plan of an evacuation, the button to begin it, and the state of the latest one. */
export default function EvacuationTab() {
  const node = useNode()
  const missing = useMissing()('nodes.manage')
  const [asked, setAsked] = useState(false)
  const read = useQuery({
    ...q('GET /api/nodes/{id}/evacuation', { params: { id: node.id } }),
    refetchInterval: ({ state }) => (isRunning(state.data) ? 2_000 : 15_000),
  })
  const whyNot = (plan: Plan) =>
    missing ??
    (isRunning(read.data) ? t.running : undefined) ??
    (plan.some(({ target }) => target !== null) ? undefined : t.nothingMoves)
  return (
    <Loaded query={read}>
      {({ plan, latest }) => (
        <Stack>
          {latest ? <LatestCard latest={latest} /> : null}
          <Card
            title={t.plan}
            flush
            actions={
              plan.length === 0 ? null : (
                <Button disabledBecause={whyNot(plan)} onClick={() => setAsked(true)}>
                  {t.evacuate({ count: plan.filter(({ target }) => target !== null).length })}
                </Button>
              )
            }
          >
            <Table
              label={t.planLabel}
              rows={plan}
              columns={columns()}
              keyOf={({ serverId }) => serverId}
              empty={
                <Empty title={t.empty} art="servers">
                  {t.emptyText}
                </Empty>
              }
            />
          </Card>
          <Text small muted>
            {t.lead}
          </Text>
          {asked ? <EvacuateDialog plan={plan} onClose={() => setAsked(false)} /> : null}
        </Stack>
      )}
    </Loaded>
  )
}

const isRunning = (read: Reply<'GET /api/nodes/{id}/evacuation'> | undefined): boolean =>
  read?.latest?.endedAt === null
