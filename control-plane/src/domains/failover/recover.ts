import { isSurelyDead } from '@lodge/shared/leases/takeover.ts'
import { takeoverDelayMs } from '@lodge/shared/leases/times.ts'
import { type Ctx, contextFor } from '../../context.ts'
import { isDuplicate } from '../../db/database.ts'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { giveUpMovesFrom, giveUpStorageChanges } from '../moves/index.ts'
import { fencedNodes, findNode, lockFence, type NodeRow } from '../nodes/index.ts'
import { movableServers } from '../servers/index.ts'
import { fencingsOf, isOff } from './fencing/fencing-store.ts'
import { takenOver } from './office-store.ts'
import { type Fate, fatesOf, leftOut } from './plan.ts'
import { beginRun, leadAllBack } from './run.ts'
import { noteBlocked, triedLately } from './store.ts'

/** How long until a node with servers that nothing can be done for is checked again. */
const LOOK_MS = 15_000
/** How long a server waits after a failed attempt. */
const AGAIN_MINUTES = 10

/** What one coordinator remembers about fenced nodes, by its monotonic clock. */
export class LostNodes {
  readonly #since = new Map<string, number>()
  readonly #tried = new Map<string, number>()

  /** Forgets nodes that are accepted again, and notes new ones. */
  see(ids: readonly string[], nowMs: number): void {
    for (const known of [this.#since, this.#tried])
      for (const id of known.keys()) if (!ids.includes(id)) known.delete(id)
    for (const id of ids) if (!this.#since.has(id)) this.#since.set(id, nowMs)
  }

  /** How long this coordinator has known it to be fenced. */
  sinceMs(id: string, nowMs: number): number {
    return nowMs - (this.#since.get(id) ?? nowMs)
  }

  /** Whether a check is due. */
  isDue(id: string, nowMs: number): boolean {
    if (nowMs - (this.#tried.get(id) ?? -LOOK_MS) < LOOK_MS) return false
    this.#tried.set(id, nowMs)
    return true
  }
}

/**
 * Begins to bring back the servers of fenced nodes that are certainly dead. It works from the current
 * state, not from events: a server that was moving when its node was lost, or for which there was no
 * room, has its turn as soon as possible.
 *
 * A node that a person declared dead may still hold a lease, and its guard may keep servers running
 * that the person did not name: those wait as long as for a takeover. A node that was seen to be off
 * runs nothing.
 * @param lost kept from round to round
 * @param nowMs by the monotonic clock
 * @returns how many servers are being brought back now
 */
export async function recoverFenced(
  services: Services,
  lost: LostNodes,
  nowMs: number,
): Promise<number> {
  const fenced = await fencedNodes(services.db)
  const ids = fenced.map(({ id }) => id)
  lost.see(ids, nowMs)
  if (ids.length === 0) return 0
  const taken = await takenOver(services.db, ids)
  const fencings = await fencingsOf(services.db, ids)
  let begun = 0
  for (const { id: nodeId, longestTtlMs } of fenced) {
    const delayMs = takeoverDelayMs(services.fleet.leaseTimes, longestTtlMs)
    const off = isOff(fencings.get(nodeId))
    if (!off && !taken.has(nodeId) && lost.sinceMs(nodeId, nowMs) < delayMs) continue
    if (!lost.isDue(nodeId, nowMs)) continue
    const movable = await movableServers(services.db, [nodeId])
    if (movable.some((one) => isSurelyDead(one, off))) begun += await recover(services, nodeId)
  }
  return begun
}

const REASONS = 3

/** Notifies operators once in each epoch of the node that nothing can be done for these now. */
async function tellBlocked(ctx: Ctx, node: NodeRow, left: readonly Fate[]): Promise<void> {
  if (left.length === 0 || !(await noteBlocked(ctx.db, node.id, node.epoch))) return
  await ctx.emit('failover.blocked', {
    nodeId: node.id,
    name: node.name,
    servers: left.length,
    reasons: left
      .slice(0, REASONS)
      .map(({ server, why }) => ({ serverName: server.name, why: why ?? '' })),
  })
}

/**
 * Holds its servers first and locks the node's row last, until the commit: a node that is accepted
 * again meanwhile keeps its servers, and one that is accepted later learns that they must stay
 * stopped.
 */
async function recover(services: Services, nodeId: string): Promise<number> {
  const ctx = contextFor(services, { kind: 'system' } as const)
  try {
    return await ctx.transaction(async (ctx) => {
      const node = await findNode(ctx.db, nodeId)
      if (!node) return 0
      const lately = await triedLately(ctx.db, nodeId, AGAIN_MINUTES)
      const fencing = (await fencingsOf(ctx.db, [nodeId])).get(nodeId)
      const dead = (await movableServers(ctx.db, [nodeId])).filter(
        (one) => isSurelyDead(one, isOff(fencing)) && !lately.has(one.id),
      )
      if (dead.length === 0) return 0
      const ids = new Set(dead.map(({ id }) => id))
      // First: it decides where servers lie.
      const changes = await giveUpStorageChanges(ctx, nodeId, ids)
      const moves = await giveUpMovesFrom(ctx, nodeId, ids)
      const all = (await fatesOf(ctx, node)).filter(({ server }) => ids.has(server.id))
      const back = await leadAllBack(ctx, all)
      const fates = all.filter(({ why }) => why === null)
      const left = leftOut(all)
      if (fates.length + back + changes + moves === 0) {
        await tellBlocked(ctx, node, left)
        return 0
      }
      if (fates.length > 0) await beginRun(ctx, node, { fates, left: left.length })
      const fence = await lockFence(ctx.db, nodeId)
      if (!fence?.fenced) throw new Problem('conflict', `${node.name} is accepted again`)
      // It was off and has just come back: what it confirmed to guard has to be read again.
      if (fencing && isOff(fencing) && fence.renewSeq !== fencing.renewSeq)
        throw new Problem('conflict', `${node.name} is on again`)
      return fates.length + back
    })
  } catch (error) {
    // Somebody else has begun, or a server has changed: the next round finds what is left.
    if (error instanceof Problem || isDuplicate(error, 'failover_servers_once')) return 0
    throw error
  }
}
