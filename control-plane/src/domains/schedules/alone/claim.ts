import { runOnNode } from '../../../jobs/sagas/run-on-node.ts'
import { Permanent, type StepTools } from '../../../jobs/sagas/saga.ts'
import { findServer } from '../../servers/index.ts'
import { leaveToNode, putBack } from './alone-store.ts'

/** A run that is about to begin here. */
interface Claimed {
  readonly runId: string
  readonly scheduleId: string
  readonly serverId: string
}

const CLAIM_MS = 10_000
/** Reasons that mean the node is away: an occurrence due then is owed. */
const AWAY = ['node_unavailable', 'node_timeout']

/**
 * Claims the occurrence of a run from its node, which may have run it on its own. Idempotent: the
 * node always gives the same answer.
 * @returns `granted`: it is run here; `busy`: the node is still running the schedule; `taken`: the
 * node has run it, and reports how that went
 * @throws {Permanent} if the node is away; the occurrence is owed again
 */
export async function claimOccurrence(
  run: Claimed,
  dueAt: Date,
  tools: StepTools,
): Promise<'granted' | 'busy' | 'taken'> {
  const { ctx } = tools
  const server = await findServer(ctx.db, run.serverId)
  if (!server) throw new Permanent('cancelled', 'The server is gone')
  const outcome = await ask(run, dueAt, server.nodeId, tools)
  if (outcome === 'granted' || outcome === 'busy') return outcome
  await ctx.transaction(async (ctx) => {
    const { runId, scheduleId } = run
    if (outcome === 'taken') await leaveToNode(ctx.db, runId)
    else await putBack(ctx.db, { runId, scheduleId, dueAt })
    await ctx.live.announce(ctx.db, { kind: 'schedules', id: run.serverId })
  })
  if (outcome === 'taken') return outcome
  throw new Permanent('cancelled', 'The node is not connected: it is looked at when it is back')
}

async function ask(
  { serverId, scheduleId }: Claimed,
  dueAt: Date,
  nodeId: string,
  tools: StepTools,
): Promise<'granted' | 'taken' | 'busy' | 'away'> {
  try {
    const { output } = await runOnNode(tools, {
      ...{ nodeId, serverId, name: 'claim' },
      work: {
        $case: 'claimOccurrence',
        value: { scheduleId, dueUnixMs: dueAt.getTime() },
      },
      once: true,
      timeoutMs: CLAIM_MS,
    })
    const outcome = output?.$case === 'occurrenceClaim' ? output.value.outcome : undefined
    return outcome === 'taken' || outcome === 'busy' ? outcome : 'granted'
  } catch (error) {
    if (!(error instanceof Permanent)) throw error
    if (AWAY.includes(error.code)) return 'away'
    // An agent of an earlier version runs nothing on its own.
    if (error.code === 'unsupported') return 'granted'
    throw error
  }
}
