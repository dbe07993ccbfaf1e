import { type Ctx, contextFor } from '../../../context.ts'
import type { Db } from '../../../db/database.ts'
import { openJobsOfServer } from '../../../jobs/board/store.ts'
import { Problem } from '../../../problem.ts'
import type { Services } from '../../../services.ts'
import { resizeReservation } from '../../nodes/index.ts'
import { holdsOf } from '../hold-store.ts'
import { newsOf } from '../news/news.ts'
import { beginOperation, byNode, holdServer } from '../operation.ts'
import { notePart } from '../parts-left.ts'
import { deleteServer, lockServer } from '../store.ts'
import type { ServerRow } from '../tables.ts'
import type { ServerView } from '../view/view.ts'

/**
 * The node removes workload and data first; row and capacity are released only when it reports
 * that.
 */
export async function removeServer(
  ctx: Ctx,
  server: ServerView,
  {
    abandon = false,
    confirm = false,
  }: { abandon?: boolean | undefined; confirm?: boolean | undefined } = {},
): Promise<{ jobId: string }> {
  requireConfirmed(server, confirm)
  if (abandon && server.nodeOnline) {
    throw new Problem(
      'invalid_state',
      `${server.nodeName} is connected: delete the server without abandoning it`,
    )
  }
  return ctx.transaction(async (ctx) => {
    const { row } = await holdServer(ctx, server)
    const { jobId, changed } = await beginRemoval(ctx, row)
    // If the node returns, the server is no longer desired there: the node stops its copy and keeps
    // the data.
    if (abandon) {
      await endJobs(ctx, row.id)
      await purge(ctx.db, changed, ctx)
    }
    return { jobId }
  })
}

/**
 * Begins to remove a server whose scheduled deletion is due.
 * @returns false if somebody kept it meanwhile
 */
export function removeDue(ctx: Ctx, server: Pick<ServerView, 'id' | 'ownerId'>): Promise<boolean> {
  return ctx.transaction(async (ctx) => {
    const { row } = await holdServer(ctx, server)
    if (row.deleteAt === null || row.deleteAt > ctx.now) return false
    await beginRemoval(ctx, row)
    return true
  })
}

const beginRemoval = (ctx: Ctx, row: ServerRow) =>
  beginOperation(ctx, row, {
    title: `Delete ${row.name}`,
    hold: { kind: 'deleting', cause: 'administrator' },
    supersedesStarts: true,
    // It is deleted now, so the schedule no longer applies.
    desired: { desiredPower: 'off', desiredEnding: 'kill', deleteAt: null },
    work: byNode('server.delete', ['Remove from the node']),
  })

/**
 * Begins to remove a server that an operation had created, unless that has begun already.
 * @returns whether it is gone
 */
export async function removeFromNode(ctx: Ctx, serverId: string): Promise<boolean> {
  return ctx.transaction(async (ctx) => {
    const row = await lockServer(ctx.db, serverId)
    if (!row) return true
    const holds = (await holdsOf(ctx.db, [serverId])).get(serverId)
    if (holds?.includes('deleting')) return false
    await beginOperation(ctx, row, {
      title: `Delete ${row.name}`,
      hold: { kind: 'deleting', cause: 'undone' },
      supersedesStarts: true,
      desired: { desiredPower: 'off', desiredEnding: 'kill' },
      work: byNode('server.delete', ['Remove from the node']),
    })
    return false
  })
}

/**
 * Removes a server that an operation had created on a node that is no longer waited for. Records that
 * the node has to delete its part once it is back. Idempotent.
 * @param jobId the job of that operation, which goes on
 */
export function removeFromLost(ctx: Ctx, serverId: string, jobId: string): Promise<void> {
  return ctx.transaction(async (ctx) => {
    const row = await lockServer(ctx.db, serverId)
    if (!row) return
    const { nodeId, kind, placementGeneration } = row
    await notePart(ctx, { serverId, nodeId, kind, placementGeneration })
    await endJobs(ctx, serverId, jobId)
    await purge(ctx.db, row, ctx)
  })
}

/**
 * Ends what waits for the node of a server that is removed without it. Sagas roll back, since otherwise
 * they would wait for ever, and what they have begun would stay, such as a backup.
 * @param exceptId a job that goes on
 */
async function endJobs(ctx: Ctx, serverId: string, exceptId?: string): Promise<void> {
  for (const { id, kind, runsAs } of await openJobsOfServer(ctx.db, serverId)) {
    if (id === exceptId) continue
    if (runsAs === 'saga') await ctx.jobs.sagas.cancel(ctx.db, id)
    else
      await ctx.jobs.desiredState.end(ctx.db, id, kind === 'server.delete' ? 'done' : 'superseded')
  }
}

/** Data being written at this moment would be lost. */
function requireConfirmed({ kind, observedState, name }: ServerView, confirm: boolean): void {
  const runs = observedState === 'running' || observedState === 'starting'
  if (kind !== 'vm' || !runs || confirm) return
  throw new Problem(
    'confirmation_required',
    `${name} runs: stop it first, or send confirm as true to delete it with everything on its disks`,
  )
}

/** The node has removed everything: releases capacity and ports. */
export async function purge(db: Db, row: ServerRow, services: Services): Promise<void> {
  const { live } = services
  const ctx = contextFor({ ...services, db }, { kind: 'system' } as const)
  await ctx.emit('server.deleted', await newsOf(db, row))
  await resizeReservation(
    db,
    row.nodeId,
    {
      memoryMb: -row.memoryMb,
      cpuPercent: -row.cpuPercent,
      diskMb: -(row.diskMb + row.copiesDiskMb),
    },
    -1,
  )
  await deleteServer(db, row.id)
  await live.announce(db, { kind: 'server-removed', id: row.id })
  await live.announce(db, { kind: 'node', id: row.nodeId })
}
