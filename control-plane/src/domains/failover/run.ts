import { randomUUIDv7 } from 'node:crypto'
import type { RunFailover } from '@lodge/shared/failover.ts'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { isDuplicate } from '../../db/database.ts'
import { notFound, Problem } from '../../problem.ts'
import { giveUpClonesOn } from '../clones/index.ts'
import { giveUpMovesFrom, giveUpMovesTo, giveUpStorageChanges } from '../moves/index.ts'
import { declareDead, findNode, type NodeRow } from '../nodes/index.ts'
import { beginHold, leadBack } from '../servers/index.ts'
import { type Fate, fatesOf, leftOut, NOTHING_TO_DO, whyNotDead } from './plan.ts'
import { runSaga } from './run-saga.ts'
import { bringingBack } from './server-saga.ts'
import { insertRun, insertServers, noteBlocked, updateRun } from './store.ts'

/**
 * Declares a node dead, and brings its servers back elsewhere from backups. One transaction
 * increments the node's epoch, so that nothing it has begun counts any more, cordons it, and holds
 * each server that is brought back: if the node returns at this very moment, it learns that they must
 * stay stopped. It also gives up moves to the node, so that those servers stay usable where they are,
 * and moves, clones and changes of storage that wait for it.
 * @throws {Problem} node_alive, confirmation_required, nothing_to_restore, conflict
 */
export async function runFailover(ctx: Ctx<User>, given: RunFailover): Promise<{ jobId: string }> {
  const { nodeId } = given
  try {
    const begun = await ctx.transaction((ctx) => begin(ctx, given))
    await ctx.fleet.disconnectNode(nodeId, begun.epoch)
    return { jobId: begun.jobId }
  } catch (error) {
    if (isDuplicate(error, 'failover_servers_once'))
      throw new Problem('nothing_to_restore', 'Its servers are being brought back already')
    throw error
  }
}

async function begin(ctx: Ctx<User>, given: RunFailover) {
  const { nodeId } = given
  const node = await findNode(ctx.db, nodeId)
  if (!node) throw notFound('node')
  const alive = whyNotDead(node)
  if (alive) throw new Problem('node_alive', alive)
  if (given.confirm !== node.name)
    throw new Problem(
      'confirmation_required',
      `Send ${node.name} as confirm: if the machine still runs, its servers would run twice until it is connected again`,
    )
  // First: it decides where servers lie.
  const changes = await giveUpStorageChanges(ctx, nodeId)
  const leaving = await giveUpMovesFrom(ctx, nodeId)
  const all = (await fatesOf(ctx, node)).filter(
    ({ server }) => given.serverIds?.includes(server.id) ?? true,
  )
  const moves = await giveUpMovesTo(ctx, nodeId)
  const clones = await giveUpClonesOn(ctx, nodeId)
  const back = await leadAllBack(ctx, all)
  const fates = all.filter(({ why }) => why === null)
  if (fates.length === 0 && moves + leaving + clones + back + changes === 0)
    throw new Problem('nothing_to_restore', NOTHING_TO_DO)
  const left = leftOut(all).length
  const jobId = await beginRun(ctx, node, { fates, left, startedById: ctx.actor.id })
  // Lock order: the node's row after those of servers.
  const epoch = await declareDead(ctx.db, nodeId)
  if (epoch === undefined) throw new Problem('node_alive', `${node.name} is connected again`)
  if (left > 0) await noteBlocked(ctx.db, nodeId, epoch)
  return { jobId, epoch }
}

/**
 * Leads servers back to the copies that they were about to leave.
 * @returns how many
 */
export async function leadAllBack(ctx: Ctx, fates: readonly Fate[]): Promise<number> {
  let led = 0
  for (const { server, leadsBack: jobId } of fates) {
    if (jobId === null) continue
    led += (await leadBack(ctx, { serverId: server.id, targetId: server.nodeId, jobId })) ? 1 : 0
  }
  return led
}

/**
 * Begins to bring back servers of a node that counts as lost, in the transaction that makes it so or
 * sees that it still is.
 * @param given.left how many others cannot be brought back now, which its end reports
 * @param given.startedById without it: nobody, since the node was taken over
 * @throws {Problem} conflict
 */
export async function beginRun(
  ctx: Ctx,
  node: NodeRow,
  given: {
    readonly fates: readonly Fate[]
    readonly left: number
    readonly startedById?: string
  },
): Promise<string> {
  const { id: nodeId, name, epoch } = node
  const { fates, left, startedById = null } = given
  const runId = randomUUIDv7()
  await insertRun(ctx.db, {
    id: runId,
    nodeId,
    nodeName: name,
    startedById,
    automatic: startedById === null,
    startedAt: ctx.now,
  })
  // Always in the same order, to prevent deadlocks. Of two concurrent runs, the second waits here for
  // the first.
  const ordered = fates.toSorted((a, b) => a.server.id.localeCompare(b.server.id))
  await insertServers(
    ctx.db,
    ordered.map((fate) => rowOf(runId, fate, ctx.now)),
  )
  for (const { server } of ordered) {
    const held = await beginHold(ctx, server.id, bringingBack(runId))
    if (held?.nodeId !== nodeId)
      throw new Problem('conflict', `${server.name} has changed its place: look at the plan again`)
  }
  const about = { title: `Bring back the servers of ${name}` as const, nodeId }
  const job = await ctx.jobs.sagas.enqueue(ctx, runSaga, { runId, left }, about)
  await updateRun(ctx.db, runId, { jobId: job.id })
  await ctx.live.announce(ctx.db, { kind: 'node', id: nodeId })
  // A takeover has been announced already.
  if (startedById === null) {
    if (left > 0) await noteBlocked(ctx.db, nodeId, epoch)
  } else await ctx.emit('failover.started', { nodeId, name, servers: ordered.length })
  return job.id
}

function rowOf(runId: string, { server, survivor, storage, target }: Fate, now: Date) {
  if (!(survivor || storage !== null) || !target)
    throw new Error(`${server.id} has no files or no place`)
  return {
    storage,
    runId,
    serverId: server.id,
    serverName: server.name,
    targetId: target.id,
    targetName: target.name,
    repositoryId: survivor?.repositoryId ?? NO_BACKUP,
    backupId: survivor?.backupId ?? NO_BACKUP,
    snapshotId: survivor?.snapshotId ?? '',
    sizeBytes: survivor?.sizeBytes ?? 0,
    backupAt: survivor?.createdAt ?? now,
  }
}

/** Placeholder in the record of a server whose files are on shared storage. */
const NO_BACKUP = '00000000-0000-0000-0000-000000000000'
