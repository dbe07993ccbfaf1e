import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Reply } from '../../api.ts'
import { saidReason, why } from '../../panel/said.ts'
import { paths } from '../../paths.ts'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { formatMib } from '../../ui/data/numbers.ts'
import { NodePill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column as Stack, Text } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import { DeclareDialog } from './declare-dialog.tsx'
import { ServerMode } from './server-mode.tsx'
import { t } from './words.ts'

type Plan = Reply<'POST /api/failover/plan'>
type Planned = Plan['servers'][number]

const columns = (onChosen: () => void): readonly Column<Planned>[] => [
  {
    header: t.server,
    role: 'title',
    cell: ({ serverId, serverName, owner }) => (
      <Stack gap={2}>
        <Link to={paths.server} params={{ id: serverId }}>
          {serverName}
        </Link>
        <Text small muted>
          {owner}
        </Text>
      </Stack>
    ),
  },
  { header: t.size, secondary: true, tight: true, cell: ({ memoryMb }) => formatMib(memoryMb) },
  {
    header: t.backup,
    cell: ({ backup, storage }) =>
      storage !== null ? (
        <Stack gap={2}>
          <span>{t.whole}</span>
          <Text small muted>
            {t.onStorage({ storage })}
          </Text>
        </Stack>
      ) : backup === null ? (
        t.noBackup
      ) : (
        <Stack gap={2}>
          <Ago at={backup.createdAt} />
          <Text small muted>
            {backup.keptOn === null ? t.inBucket : t.keptOn({ node: backup.keptOn })}
          </Text>
        </Stack>
      ),
  },
  {
    header: t.target,
    cell: ({ target, why }) => (
      <Stack gap={2}>
        <span>
          {target ? t.targetPlace({ node: target.nodeName, location: target.location }) : t.stays}
        </span>
        {why === null ? null : (
          <Text small muted>
            {saidReason(why)}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    header: t.starts,
    cell: ({ starts, staysOff, target }) =>
      target === null ? '–' : starts ? t.startsYes : (why(staysOff) ?? t.startsNo),
  },
  {
    header: t.mode,
    cell: (server) => <ServerMode server={server} onChosen={onChosen} />,
  },
]

/** The plan for each server of a node, and the button that declares the node dead. */
export default function PlanPage() {
  const { id: nodeId = '' } = useParams({ strict: false })
  const missing = useMissing()('nodes.manage')
  const [isAsked, setIsAsked] = useState(false)
  const read = useQuery({
    queryKey: ['POST /api/failover/plan', nodeId],
    queryFn: () => api('POST /api/failover/plan', { body: { nodeId } }),
    refetchInterval: 15_000,
  })
  const node = read.data?.node
  return (
    <Page
      title={node ? t.planOf({ node: node.name }) : t.failover}
      crumbs={<Link to={paths.failover}>{t.failover}</Link>}
      beside={node ? <NodePill state={node.state} /> : undefined}
      lead={t.planLead}
      actions={
        read.data ? (
          <Button
            kind="danger"
            disabledBecause={missing ?? why(read.data.whyNot)}
            onClick={() => setIsAsked(true)}
          >
            {t.declareDead}
          </Button>
        ) : undefined
      }
    >
      <Loaded query={read}>
        {(plan) => (
          <Stack>
            <Card title={t.plan} flush>
              <Table
                label={t.planLabel}
                rows={plan.servers}
                columns={columns(() => void read.refetch())}
                keyOf={({ serverId }) => serverId}
                empty={
                  <Empty title={t.noServers} art="servers">
                    {t.noServersText}
                  </Empty>
                }
              />
            </Card>
            {plan.moves.length === 0 ? null : <MovesHere moves={plan.moves} />}
            {plan.whyNot === null ? null : (
              <Text small muted>
                {saidReason(plan.whyNot)}.
              </Text>
            )}
            {isAsked ? <DeclareDialog plan={plan} onClose={() => setIsAsked(false)} /> : null}
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}

/** Servers of other nodes whose moves to this one would be given up. */
function MovesHere({ moves }: { moves: Plan['moves'] }) {
  return (
    <Stack gap={10}>
      <Card title={t.movesHere} flush>
        <Table
          label={t.movesHere}
          rows={moves}
          columns={[
            {
              header: t.server,
              role: 'title',
              cell: ({ serverId, serverName }) => (
                <Link to={paths.server} params={{ id: serverId }}>
                  {serverName}
                </Link>
              ),
            },
          ]}
          keyOf={({ serverId }) => serverId}
          empty={null}
        />
      </Card>
      <Text small muted>
        {t.movesHereText}
      </Text>
    </Stack>
  )
}
