import { z } from 'zod'
import { agentProgram } from '../../../http/install/agent-program.ts'
import { WaitExpired } from '../../../jobs/dispatch/parking.ts'
import { runOnNode } from '../../../jobs/sagas/run-on-node.ts'
import { Permanent, type StepTools, saga } from '../../../jobs/sagas/saga.ts'
import { findNode, findNodes } from '../store.ts'
import { architectureOf } from './newest.ts'
import { forgetUpdateJob } from './outdated-store.ts'

/** Includes the download, the trial of the new agent and the return to the former one. */
const UPDATE_MS = 900_000
/** How long a node may be away before it counts as not having come back. */
const BACK_WITHIN_MS = 300_000
/** Maximum number of nodes updated concurrently. */
const MOST = 16

/** Updates the agent of one node. */
export const updateAgentSaga = saga('node.agent.update', z.object({ nodeId: z.uuid() })).step(
  'Replace the agent',
  { do: ({ nodeId }, tools) => updateAgent(nodeId, tools) },
)

/**
 * Updates the agents of many nodes: one first, then in ever larger waves. Stops at the first failure.
 */
export const updateAgentsSaga = saga(
  'nodes.agent.update',
  z.object({ nodeIds: z.array(z.uuid()).min(1) }),
)
  .step('Update one node', {
    async do({ nodeIds }, tools) {
      await wave(nodeIds.slice(0, 1), 0, nodeIds.length, tools)
    },
  })
  .step('Update the others in waves', {
    async do({ nodeIds }, tools) {
      for (let begun = 1, size = 2; begun < nodeIds.length; begun += size, size = twice(size)) {
        await wave(nodeIds.slice(begun, begun + size), begun, nodeIds.length, tools)
      }
    },
  })

const twice = (size: number) => Math.min(MOST, size * 2)

/**
 * Updates these nodes concurrently, and waits for all of them, even if one fails. The step is
 * repeated whenever one of them was away; those that have their update are left alone then, wherever
 * they are by now.
 */
async function wave(
  ids: readonly string[],
  before: number,
  total: number,
  tools: StepTools,
): Promise<void> {
  const { ctx, job } = tools
  // Leaves out nodes that were removed meanwhile.
  const present = await findNodes(ctx.db, ids)
  const due = present.filter(({ agentUpdateJobId }) => agentUpdateJobId === job.id)
  if (due.length === 0) return
  await tools.progress((before / total) * 100, `${before} of ${total} nodes updated`)
  const quiet = { ...tools, progress: async () => undefined }
  const ends = await Promise.allSettled(
    due.map(async ({ id }) => {
      await updateAgent(id, quiet)
      await forgetUpdateJob(ctx.db, id, job.id)
    }),
  )
  const faults = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  // An update that is still waiting comes first: the step is repeated, and failed updates return
  // their stored results.
  const waits = faults.find((fault) => !(fault instanceof Permanent))
  if (waits) throw waits
  const failed = ends.flatMap((end, index) =>
    end.status === 'rejected' ? [`${due[index]?.name}: ${end.reason.message}`] : [],
  )
  if (failed.length > 0)
    throw new Permanent(
      'agent_update_failed',
      `${failed.join(' ')} ${before + present.length - failed.length} of ${total} nodes were updated; the rest was left alone`,
    )
}

/** Has the agent replace itself; whichever agent runs in the end reports the result. */
async function updateAgent(nodeId: string, tools: StepTools): Promise<void> {
  const { ctx } = tools
  try {
    await runOnNode(tools, {
      nodeId,
      name: `update ${nodeId}`,
      timeoutMs: UPDATE_MS,
      backWithinMs: BACK_WITHIN_MS,
      async work() {
        const node = await findNode(ctx.db, nodeId)
        const newest = node && (await agentProgram(ctx.agentFolder, architectureOf(node)))
        if (!newest)
          throw new Permanent('no_agent_program', 'The control plane has no agent to hand out')
        const manifest = JSON.stringify(newest)
        return { $case: 'updateAgent', value: { manifest, signature: ctx.fleet.sign(manifest) } }
      },
    })
  } catch (error) {
    if (!(error instanceof WaitExpired)) throw error
    throw new Permanent('node_timeout', 'The node has not come back in time.')
  }
}
