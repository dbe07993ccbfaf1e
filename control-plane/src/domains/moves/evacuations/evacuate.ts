import type { EvacuateNode, Evacuation } from '@lodge/shared/evacuations.ts'
import type { Ctx } from '../../../context.ts'
import { findJob } from '../../../jobs/board/store.ts'
import { Problem } from '../../../problem.ts'
import { editNode, isOnline, lockNode, type NodeRow } from '../../nodes/index.ts'
import { findViews } from '../../servers/index.ts'
import { evacuateSaga } from './evacuate-saga.ts'
import { planMoves } from './plan.ts'
import { beginEvacuation, findEvacuation, listEvacuated, serversOfNode } from './store.ts'

const PARALLEL = 2

/** What would happen to each server of a node now, and the results of the last evacuation. */
export async function describeEvacuation(ctx: Ctx, node: NodeRow): Promise<Evacuation> {
  const { db } = ctx
  const row = await findEvacuation(db, node.id)
  const plan = await planMoves(ctx, node, await serversOfNode(db, node.id))
  return {
    plan: plan.map(({ awaits: _, ...planned }) => planned),
    latest: row
      ? {
          jobId: row.jobId,
          startedAt: row.createdAt.toISOString(),
          endedAt: row.endedAt?.toISOString() ?? null,
          items: await listEvacuated(db, node.id),
        }
      : null,
  }
}

/** Cordons a node, and begins to move its servers to others. */
export async function evacuate(
  ctx: Ctx,
  node: NodeRow,
  { parallel = PARALLEL, serverIds, stopMachines = true, confirmBackupsLeft = false }: EvacuateNode,
): Promise<{ jobId: string }> {
  if (!isOnline(node))
    throw new Problem(
      'node_unavailable',
      `${node.name} is not connected, and what is on it can only be moved while it is`,
      { retryAfterSeconds: 15 },
    )
  return ctx.transaction(async (ctx) => {
    const { db } = ctx
    await lockNode(db, node.id)
    const former = await findEvacuation(db, node.id)
    if (former && (await findJob(db, former.jobId))?.endedAt === null)
      throw new Problem(
        'job_in_progress',
        `${node.name} is being emptied already: wait for it, or cancel that job`,
      )
    const wanted = serverIds && new Set(serverIds)
    const ids = (await serversOfNode(db, node.id)).filter((id) => wanted?.has(id) ?? true)
    if (ids.length === 0) throw new Problem('invalid_state', `${node.name} has no servers to move`)
    const names = new Map((await findViews(db, ids)).map(({ id, name }) => [id, name]))
    await editNode(ctx, node, { cordoned: true }, 'evacuation')
    const { id: jobId } = await ctx.jobs.sagas.enqueue(
      ctx,
      evacuateSaga,
      {
        nodeId: node.id,
        serverIds: serverIds ?? null,
        parallel,
        stopMachines,
        confirmBackupsLeft,
      },
      { title: `Move all servers away from ${node.name}`, nodeId: node.id },
    )
    await beginEvacuation(
      db,
      { nodeId: node.id, jobId, createdAt: ctx.now },
      ids.map((serverId) => ({ serverId, serverName: names.get(serverId) ?? '' })),
    )
    return { jobId }
  })
}
