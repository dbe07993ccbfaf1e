import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '@lodge/shared/backoff.ts'
import type { NodePower } from '@lodge/shared/failover.ts'
import { type Ctx, contextFor } from '../../../context.ts'
import { watcher } from '../../../jobs/periodic-task.ts'
import type { Services } from '../../../services.ts'
import { lookAtDatabase, type NodeRow } from '../../nodes/index.ts'
import { FenceFailed } from './command.ts'
import { fencerOf, longestMs, switchOff, whyNoFence } from './fencer.ts'
import { ANY_FENCING, claimFencings, type DueFencing, endTry, isStillDue } from './fencing-store.ts'

const AGAIN = { leastMs: 10_000, mostMs: 300_000 }
/** An instance that cannot fence leaves nodes to the others for this long, and then reports why. */
const LEFT_TO_OTHERS_SECONDS = 30
/** While it waits for some nodes, it looks for others as often as the task itself runs. */
const LOOK_MS = 1_000

/**
 * Switches off the nodes that the coordinator has requested. Any instance may: doing it twice is
 * harmless, and a result is written only while the claim lasts.
 */
export const fenceAsked = watcher('failover.fence', ANY_FENCING, async (services, stopped) => {
  const { db, fence } = services
  const did = { off: 0, failed: 0 }
  const tries = new Set<Promise<void>>()
  try {
    // A machine that does not answer must not hold up nodes that fall silent meanwhile.
    do {
      // Requests from before the database was set back are not carried out.
      if (await lookAtDatabase(services)) break
      const due = await claimFencings(db, {
        claimSeconds: longestMs(fence) / 1000 + 5,
        lateSeconds: (await whyNoFence(services)) === null ? 0 : LEFT_TO_OTHERS_SECONDS,
      })
      for (const one of due) {
        const tried = tryOnce(services, one, stopped).then((isOff) => {
          did[isOff ? 'off' : 'failed'] += 1
          tries.delete(tried)
        })
        tries.add(tried)
      }
      await Promise.race([...tries, pause(LOOK_MS)])
    } while (tries.size > 0 && !stopped?.aborted)
  } finally {
    await Promise.allSettled(tries)
  }
  return did
})

async function tryOnce(
  services: Services,
  due: DueFencing,
  stopped: AbortSignal | undefined,
): Promise<boolean> {
  const { fence, log } = services
  const { nodeId, name, wasOff } = due
  const ctx = contextFor(services, { kind: 'system' } as const)
  log.warn({ nodeId, node: name }, 'switching off a silent node')
  try {
    const fencer = await fencerOf(services)
    const node = { id: nodeId, name }
    const mayGoOn = () => isStillDue(services.db, due)
    if (!(await switchOff(fencer, fence.limitMs, node, wasOff, stopped, mayGoOn))) return false
    await ctx.transaction(async (ctx) => {
      if (await endTry(ctx.db, due, { isOff: true }))
        await ctx.live.announce(ctx.db, { kind: 'node', id: nodeId })
    })
    return true
  } catch (error) {
    if (!(error instanceof FenceFailed)) throw error
    log.warn({ nodeId, node: name, why: error.message }, 'a silent node was not switched off')
    await putOff(ctx, due, error.message, stopped?.aborted ?? false)
    return false
  }
}

/** Retries later, with growing delays; operators are notified of the first failure. */
async function putOff(ctx: Ctx, due: DueFencing, detail: string, isStopped: boolean) {
  const { nodeId, name, tries, isTold } = due
  await ctx.transaction(async (ctx) => {
    const failure = { detail, isTold: isTold || !isStopped }
    const againSeconds = isStopped ? 0 : backoffMs(tries - 1, AGAIN) / 1000
    if (!(await endTry(ctx.db, due, { isOff: false, failure, againSeconds }))) return
    await ctx.live.announce(ctx.db, { kind: 'node', id: nodeId })
    if (!isTold && !isStopped) await ctx.emit('failover.fence_failed', { nodeId, name, detail })
  })
}

/** Whether a node is on, as the fence command reports it. Switches nothing. */
export async function askPower(ctx: Ctx, { id, name }: NodeRow): Promise<NodePower> {
  try {
    return { power: await (await fencerOf(ctx)).power({ id, name }), why: null }
  } catch (error) {
    if (!(error instanceof FenceFailed)) throw error
    return { power: 'unknown', why: error.message }
  }
}
