import { formatBytes } from '@lodge/shared/units.ts'
import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { runOnNode } from '../../jobs/sagas/run-on-node.ts'
import { saga } from '../../jobs/sagas/saga.ts'
import { requireAbility } from './abilities.ts'
import { requireOnline } from './ask-agent.ts'
import type { NodeRow } from './tables.ts'

const FREE_MS = 600_000

/** Has a node remove the images that none of its servers needs. */
export const freeImagesSaga = saga('node.images.free', z.object({ nodeId: z.uuid() })).step(
  'Remove unused images',
  {
    async do({ nodeId }, tools) {
      const done = await runOnNode(tools, {
        nodeId,
        name: 'free images',
        work: { $case: 'freeImages', value: {} },
        timeoutMs: FREE_MS,
        once: true,
      })
      const freed = done.output?.$case === 'freedImages' ? done.output.value : undefined
      const { removed = 0, freedBytes = 0 } = freed ?? {}
      const room = formatBytes(freedBytes)
      const some =
        removed === 1
          ? `One image removed, ${room} freed`
          : `${removed} images removed, ${room} freed`
      await tools.progress(100, removed === 0 ? 'No image was unused' : some)
    },
  },
)

/**
 * Starts the job.
 * @throws {Problem} node_unavailable
 */
export async function freeImages(ctx: Ctx, node: NodeRow): Promise<{ jobId: string }> {
  requireAbility(node, 'container', 'images')
  requireOnline(node, 'its images can be removed when it is back')
  return await ctx.transaction(async (ctx) => {
    const about = { title: `Remove unused images of ${node.name}` as const, nodeId: node.id }
    const job = await ctx.jobs.sagas.enqueue(ctx, freeImagesSaga, { nodeId: node.id }, about)
    return { jobId: job.id }
  })
}
