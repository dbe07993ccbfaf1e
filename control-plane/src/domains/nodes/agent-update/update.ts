import type { JobTitle } from '@lodge/shared/job-words.ts'
import { UPDATES_ITSELF } from '@lodge/shared/node-abilities.ts'
import type { UpdateAgents } from '@lodge/shared/nodes.ts'
import type { Ctx } from '../../../context.ts'
import { findJobs } from '../../../jobs/board/store.ts'
import { Problem } from '../../../problem.ts'
import { requireOnline } from '../ask-agent.ts'
import { isOnline } from '../describe.ts'
import type { NodeRow } from '../tables.ts'
import { architectureOf, newestAgents } from './newest.ts'
import { lockNodes, outdatedNodes, saveUpdateJob } from './outdated-store.ts'
import { updateAgentSaga, updateAgentsSaga } from './update-saga.ts'

const MOST_NODES = 2_000

/**
 * Starts the update of one node's agent.
 * @throws {Problem} unsupported_on_node, node_unavailable, no_agent_program, agents_current,
 * job_in_progress
 */
export async function updateAgent(ctx: Ctx, { id, name }: NodeRow): Promise<{ jobId: string }> {
  return await ctx.transaction(async (ctx) => {
    const [node] = await lockNodes(ctx.db, [id])
    if (!node) throw new Problem('not_found', 'The node is gone')
    requireReplaceable(node)
    requireOnline(node, 'its agent can be updated when it is back')
    if (!(await isOutdated(ctx, node)))
      throw new Problem('agents_current', `${name} runs the newest agent already`)
    await requireIdle(ctx, [node])
    const about = { title: `Update the agent of ${name}` as const, nodeId: id }
    const job = await ctx.jobs.sagas.enqueue(ctx, updateAgentSaga, { nodeId: id }, about)
    await saveUpdateJob(ctx.db, [id], job.id)
    return { jobId: job.id }
  })
}

/**
 * Starts the update of all outdated agents that are connected and can replace themselves, or of
 * those named.
 * @throws {Problem} agents_current, job_in_progress
 */
export async function updateAgents(
  ctx: Ctx,
  { nodeIds }: UpdateAgents,
): Promise<{ jobId: string; nodes: number }> {
  return await ctx.transaction(async (ctx) => {
    const candidates = nodeIds ?? (await outdatedNodes(ctx.db, UPDATES_ITSELF, MOST_NODES))
    const rows = await lockNodes(ctx.db, candidates)
    const newest = new Set((await newestAgents(ctx)).map(buildOf))
    const due = rows.filter(
      (row) =>
        row.capabilities.includes(UPDATES_ITSELF) &&
        isOnline(row) &&
        newest.size > 0 &&
        !newest.has(row.agentBuild ?? ''),
    )
    if (due.length === 0)
      throw new Problem('agents_current', 'No connected node has an agent that can be updated')
    await requireIdle(ctx, due)
    const ids = due.toSorted((a, b) => a.name.localeCompare(b.name, 'en')).map(({ id }) => id)
    const title: JobTitle =
      due.length === 1 ? 'Update the agent of a node' : `Update the agents of ${due.length} nodes`
    const job = await ctx.jobs.sagas.enqueue(ctx, updateAgentsSaga, { nodeIds: ids }, { title })
    await saveUpdateJob(ctx.db, ids, job.id)
    return { jobId: job.id, nodes: due.length }
  })
}

const buildOf = ({ architecture, build }: { architecture: string; build: string }) =>
  `${architecture}/${build}`

function requireReplaceable({ name, capabilities }: NodeRow): void {
  if (capabilities.includes(UPDATES_ITSELF)) return
  throw new Problem(
    'unsupported_on_node',
    `The agent of ${name} cannot replace itself: paste a new join command on the machine, or update Lodge there`,
    { fields: { missing: [UPDATES_ITSELF] } },
  )
}

async function isOutdated(ctx: Ctx, node: NodeRow): Promise<boolean> {
  const newest = await newestAgents(ctx)
  const own = newest.find(({ architecture }) => architecture === architectureOf(node))
  if (!own)
    throw new Problem(
      'no_agent_program',
      `This panel has no agent to hand out for ${architectureOf(node)}: restart it, or build Lodge for that architecture`,
    )
  return node.agentBuild !== buildOf(own)
}

/** Two concurrent updates of one agent would end each other. */
async function requireIdle(ctx: Ctx, rows: readonly NodeRow[]): Promise<void> {
  const jobIds = rows.flatMap(({ agentUpdateJobId }) => agentUpdateJobId ?? [])
  const open = (await findJobs(ctx.db, jobIds)).filter(({ endedAt }) => endedAt === null)
  if (open.length === 0) return
  const busy = rows.find(({ agentUpdateJobId }) => agentUpdateJobId === open[0]?.id)
  throw new Problem(
    'job_in_progress',
    `The agent of ${busy?.name} is being updated: wait for that job, or cancel it first`,
  )
}
