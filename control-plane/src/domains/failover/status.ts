import type { FailoverRun, FailoverStatus } from '@lodge/shared/failover.ts'
import type { Ctx } from '../../context.ts'
import { exposureOf } from '../backups/index.ts'
import { describeNode, joinedNodes, type NodeRow, nameOfStorage } from '../nodes/index.ts'
import { listStorageCopies, type StorageCopyListed } from '../servers/index.ts'
import { listCopies } from './copy-store.ts'
import { leaseExtension } from './extension.ts'
import { whyStopped } from './office-store.ts'
import { nodesFailover } from './stand.ts'
import { latestRuns, serversOfRuns } from './store.ts'
import type { FailoverServerRow } from './tables.ts'

const RUNS = 20
const COPIES = 200

/** What the loss of each node would cost, earlier failovers, and what is left of them. */
export async function failoverStatus(ctx: Ctx): Promise<FailoverStatus> {
  const { db } = ctx
  const nodes = await joinedNodes(db)
  const exposed = await exposureOf(
    db,
    nodes.map(({ id }) => id),
  )
  const latest = await latestRuns(db, RUNS)
  const servers = Map.groupBy(
    await serversOfRuns(
      db,
      latest.map(({ run }) => run.id),
    ),
    ({ runId }) => runId,
  )
  const copies = await listCopies(db, COPIES)
  const storageCopies = await listStorageCopies(db, COPIES)
  const stands = await nodesFailover(ctx, nodes)
  return {
    stoppedBecause: await whyStopped(db),
    extension: await leaseExtension(ctx),
    nodes: nodes.flatMap((row) => {
      const stand = stands.get(row.id)
      if (!stand) return []
      const { id, name, location, state, lastSeenAt, allocated } = describeNode(row)
      const exposure = exposed.get(id)
      const { shared = 0, storageIds = [], unprotected = 0, oldestAt = null } = exposure ?? {}
      const storages = storageIds.map((of) => nameOfStorage(nodes, of) ?? of).toSorted()
      return {
        ...{ id, name, location, state, lastSeenAt, shared, storages, unprotected },
        ...stand,
        servers: allocated.servers,
        oldestAt: oldestAt?.toISOString() ?? null,
      }
    }),
    runs: latest.map(
      ({ run, startedBy }): FailoverRun => ({
        id: run.id,
        nodeId: run.nodeId,
        nodeName: run.nodeName,
        jobId: run.jobId,
        startedBy,
        automatic: run.automatic,
        startedAt: run.startedAt.toISOString(),
        endedAt: run.endedAt?.toISOString() ?? null,
        servers: (servers.get(run.id) ?? []).map(describeServer),
      }),
    ),
    copies: copies.map(({ copy, nodeName }) => ({
      serverId: copy.serverId,
      serverName: copy.serverName,
      nodeId: copy.nodeId,
      nodeName,
      partial: copy.partial,
      supersededAt: copy.supersededAt.toISOString(),
      stoppedAt: copy.stoppedAt?.toISOString() ?? null,
      deletedAt: copy.deletedAt?.toISOString() ?? null,
      failed: copy.failure && {
        detail: copy.failure.detail,
        tries: copy.tries,
        tryAt: copy.tryAt.toISOString(),
      },
    })),
    storageCopies: storageCopies.map((copy) => describeStorageCopy(copy, nodes)),
  }
}

function describeStorageCopy(
  { storageId, since, keptUntil, failure, tries, tryAt, ...copy }: StorageCopyListed,
  nodes: readonly NodeRow[],
): FailoverStatus['storageCopies'][number] {
  return {
    ...copy,
    storage:
      storageId === null ? null : { id: storageId, name: nameOfStorage(nodes, storageId) ?? null },
    since: since.toISOString(),
    keptUntil: keptUntil?.toISOString() ?? null,
    failed:
      failure === null
        ? null
        : { detail: failure.replace(/\.$/, ''), tries, tryAt: tryAt.toISOString() },
  }
}

const describeServer = (row: FailoverServerRow): FailoverRun['servers'][number] => ({
  serverId: row.serverId,
  serverName: row.serverName,
  state: row.state,
  target: row.targetName,
  backupAt: row.storage === null ? row.backupAt.toISOString() : null,
  storage: row.storage,
  jobId: row.jobId,
  detail: row.detail,
})
