import type { Fencing } from '@lodge/shared/failover.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Reply } from '../../api.ts'
import { saidReason } from '../../panel/said.ts'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { NodePill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Ago, At, useNow } from '../../ui/data/time.tsx'
import { duration } from '../../ui/data/time-words.ts'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column as Stack, Text } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import { rich } from '../../ui/page/rich.ts'
import { CopiesCard } from './copies-card.tsx'
import { ExtensionCard } from './extension-card.tsx'
import { RunCard } from './run-card.tsx'
import { SetBackCard } from './set-back-card.tsx'
import { StorageCopiesCard } from './storage-copies-card.tsx'
import { t } from './words.ts'

type Status = Reply<'GET /api/failover/status'>
type ListedNode = Status['nodes'][number]

/** Whether to poll: while servers are being brought back, or nodes are about to get longer leases. */
const isRunning = (status: Status | undefined): boolean =>
  status !== undefined &&
  (status.runs.some(({ endedAt }) => endedAt === null) ||
    status.extension?.mayBeAwaySeconds === null)

const columns = (): readonly Column<ListedNode>[] => [
  {
    header: t.node,
    role: 'title',
    tight: true,
    cell: ({ id, name }) => (
      <Link to={paths.failoverPlan} params={{ id }} data-opens>
        {name}
      </Link>
    ),
  },
  {
    header: t.state,
    card: 'head',
    cell: ({ state, lastSeenAt }) => (
      <Stack gap={2}>
        <span>
          <NodePill state={state} />
        </span>
        {state === 'offline' && lastSeenAt !== null ? (
          <Text small muted>
            {rich(t.lastSeen({ when: () => <Ago at={lastSeenAt} /> }))}
          </Text>
        ) : null}
      </Stack>
    ),
  },
  { header: t.whenLost, cell: (node) => <Mode node={node} /> },
  {
    header: t.servers,
    right: true,
    cell: ({ servers, shared, storages }) => (
      <Stack gap={2}>
        <span>{servers}</span>
        {shared === 0 ? null : (
          <Text small muted>
            {t.sharedOf({ shared, storages: storages.join(', ') })}
          </Text>
        )}
      </Stack>
    ),
  },
  { header: t.unprotected, right: true, cell: ({ unprotected }) => unprotected },
  {
    header: t.newestBackups,
    cell: ({ oldestAt }) =>
      oldestAt === null ? (
        t.nothing
      ) : (
        <span>{rich(t.since({ when: () => <At at={oldestAt} /> }))}</span>
      ),
  },
]

const modeWords = (mode: ListedNode['mode']) => {
  if (mode === 'auto') return t.failsOver
  return mode === 'stonith' ? t.switchesOff : t.waitsForPerson
}

/** What happens when a node is away, since when that applies, and how long it takes. */
function Mode({ node }: { node: ListedNode }) {
  const now = useNow(1_000)
  const { auto, fencedAt, fencing, guarded, mode, since, stonith, takeoverAt, unguarded } = node
  return (
    <Stack gap={2}>
      <span>{modeWords(mode)}</span>
      {since === null ? null : (
        <Text small muted>
          {rich(t.chosen({ when: () => <Ago at={since} /> }))}
        </Text>
      )}
      {auto === 0 ? null : (
        <Text small muted>
          {t.guardedOf({ guarded, auto })}
        </Text>
      )}
      {unguarded === null ? null : (
        <Text small muted>
          {t.machinesWait({ count: unguarded.machines, why: saidReason(unguarded.why) })}
        </Text>
      )}
      {stonith === 0 ? null : (
        <Text small muted>
          {t.switchedOffFirst({ servers: stonith })}
        </Text>
      )}
      {fencing === null ? null : <FencingText fencing={fencing} />}
      {fencedAt === null ? null : (
        <Text small muted>
          {rich(t.takenOver({ when: () => <Ago at={fencedAt} /> }))}
        </Text>
      )}
      {takeoverAt === null ? null : (
        <Text small muted>
          {t.takeoverIn({ duration: duration(Date.parse(takeoverAt) - now) })}
        </Text>
      )}
    </Stack>
  )
}

/** The result of switching a silent node off. */
function FencingText({ fencing }: { fencing: Fencing }) {
  const { failed, offAt, tryAt } = fencing
  if (tryAt === null)
    return (
      <Text small muted>
        {rich(t.isOff({ when: () => <At at={offAt ?? fencing.askedAt} /> }))}
      </Text>
    )
  return (
    <Text small muted>
      {failed === null
        ? t.switchingOff
        : rich(t.notOff({ why: saidReason(failed), when: () => <Ago at={tryAt} /> }))}
    </Text>
  )
}

/** Every node with the cost of its loss, and past failovers. */
export default function FailoverPage() {
  const read = useQuery({
    ...q('GET /api/failover/status'),
    refetchInterval: ({ state }) => (isRunning(state.data) ? 2_000 : 15_000),
  })
  return (
    <Page title={t.failover} lead={t.lead}>
      <Loaded query={read}>
        {({ nodes, runs, copies, storageCopies, stoppedBecause, extension }) => (
          <Stack>
            {stoppedBecause === null ? null : (
              <Note tone="err" title={t.stopped}>
                {saidReason(stoppedBecause)}
              </Note>
            )}
            <SetBackCard />
            {extension !== null || nodes.some(({ auto }) => auto > 0) ? (
              <ExtensionCard extension={extension} />
            ) : null}
            <Card title={t.ifLost} flush>
              <Table
                label={t.nodes}
                rows={nodes}
                columns={columns()}
                keyOf={({ id }) => id}
                keys
                empty={
                  <Empty title={t.noNodes} art="nodes">
                    {t.noNodesText}
                  </Empty>
                }
              />
            </Card>
            {runs.map((run) => (
              <RunCard key={run.id} run={run} />
            ))}
            {copies.length === 0 ? null : <CopiesCard copies={copies} />}
            {storageCopies.length === 0 ? null : <StorageCopiesCard copies={storageCopies} />}
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}
