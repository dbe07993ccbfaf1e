import { randomUUID } from 'node:crypto'
import { takeoverDelayMs } from '@lodge/shared/leases/times.ts'
import { type Ctx, contextFor } from '../../../context.ts'
import type { Services } from '../../../services.ts'
import { type AgentMark, type Lineage, whySetBack } from './lineage.ts'
import {
  type Asked,
  advanceMark,
  identityOf,
  lookAtLineage,
  raiseEpochs,
  recordIdentity,
  recordSetBack,
  suspectNode,
} from './lineage-store.ts'

/**
 * Least time between two safe modes of the whole installation that begin because of an agent's claim.
 */
const AGENTS_WORD_MS = 3_600_000

/** What one instance has seen of the database; in memory only. */
interface Seen {
  identity: Asked | undefined
  /** True before its first look. */
  isFirst: boolean
  mark: number
  setBacks: number
  setBackId: string | null
  /** When the safe mode began, by the monotonic clock; undefined outside safe mode. */
  safeSinceMs: number | undefined
}

const seenBy = new WeakMap<Services['fleet'], Seen>()

function seenOf({ fleet }: Pick<Services, 'fleet'>): Seen {
  const known = seenBy.get(fleet)
  if (known) return known
  const seen: Seen = {
    ...{
      identity: undefined,
      isFirst: true,
      mark: 0,
      setBacks: 0,
      setBackId: null,
      safeSinceMs: undefined,
    },
  }
  seenBy.set(fleet, seen)
  return seen
}

/** Duration of the safe mode after a set-back: until every earlier lease has ended. */
const safeMs = ({ fleet }: Pick<Services, 'fleet'>): number =>
  takeoverDelayMs(fleet.leaseTimes, fleet.leaseTimes.ttlMs)

/**
 * Whether the database was set back a moment ago, so that nothing is taken over, moved or begun
 * automatically. Measured by the clock of this process, from when it noticed.
 */
export function isSafeMode(services: Pick<Services, 'fleet'>, nowMs = performance.now()): boolean {
  const { safeSinceMs } = seenOf(services)
  return safeSinceMs !== undefined && nowMs - safeSinceMs < safeMs(services)
}

/** Whether the database was ever set back, as of the last look. */
export const hasBeenSetBack = (services: Pick<Services, 'fleet'>): boolean =>
  seenOf(services).setBackId !== null

/**
 * Checks that the database is the same as before and not older than this instance knows. Called
 * before desired states are sent and before the coordinator acts, so that both learn of another
 * database first.
 * @returns whether the safe mode applies
 */
export async function lookAtDatabase(services: Services): Promise<boolean> {
  const { db } = services
  const seen = seenOf(services)
  seen.identity ??= await identityOf(db)
  // Other instances may advance the mark while the query runs, so compare with the mark from before
  // it.
  let markBefore = seen.mark
  let look = await lookAtLineage(db, seen.identity)
  if (look?.recorded.timeline == null || look.recorded.systemIdentifier === null) {
    await recordIdentity(db, seen.identity)
    markBefore = seen.mark
    look = await lookAtLineage(db, seen.identity)
  }
  if (!look) throw new Error('the row of the lineage of the database is missing')
  if (seen.isFirst && (look.now.systemIdentifier === null || look.now.timeline === null))
    services.log.warn(
      'PostgreSQL does not tell this role which cluster and timeline it is (pg_control_system, pg_control_checkpoint): a failover is noticed only by what agents know',
    )
  seen.isFirst = false
  const why = whySetBack(look.recorded, look.now, markBefore)
  if (why !== undefined) {
    await setBack(services, { why, setBackId: look.recorded.setBackId })
    return lookAtDatabase(services)
  }
  notice(services, look.recorded)
  return isSafeMode(services)
}

/** Begins the safe mode of this instance when it first sees a recent set-back. */
function notice(services: Services, { mark, setBacks, setBackId, agoMs }: Lineage): void {
  const seen = seenOf(services)
  seen.mark = Math.max(seen.mark, mark)
  seen.setBacks = Math.max(seen.setBacks, setBacks)
  if (setBackId === seen.setBackId) return
  seen.setBackId = setBackId
  if (setBackId !== null && agoMs !== null && agoMs < safeMs(services))
    seen.safeSinceMs = performance.now()
}

/**
 * Advances the mark, and checks the database. Every few seconds on every instance, and first of all
 * on start.
 */
export async function keepMark(services: Services): Promise<void> {
  await lookAtDatabase(services)
  const seen = seenOf(services)
  seen.mark = Math.max(seen.mark, await advanceMark(services.db))
}

/** A set-back, which is recorded once, however many instances notice it. */
interface Noticed {
  readonly why: string
  /** The latest set-back known before; if there is another since, nothing is done. */
  readonly setBackId: string | null
}

/**
 * Records a set-back, raises the epochs of all nodes and ends their sessions, so that each sends its
 * whole inventory when it reconnects.
 */
async function setBack(services: Services, { why, setBackId }: Noticed): Promise<void> {
  const ended = await contextFor(services, { kind: 'system' } as const).transaction(async (ctx) => {
    const look = await record(ctx, { why, setBackId }, 1)
    if (!look) return []
    // Listeners lock servers, which are locked before nodes.
    await ctx.emit('database.set_back', { why })
    const nodes = await raiseEpochs(ctx.db)
    for (const { id } of nodes) await announceNode(ctx, id)
    return nodes
  })
  if (ended.length > 0)
    services.log.warn({ why, nodes: ended.length }, 'the database was set back in time')
  for (const { id, epoch } of ended) await services.fleet.disconnectNode(id, epoch)
}

/** @returns whether this instance is the first to notice it */
async function record(ctx: Ctx, noticed: Noticed, more: 0 | 1): Promise<boolean> {
  const seen = seenOf(ctx)
  const identity = seen.identity ?? (await identityOf(ctx.db))
  const look = await lookAtLineage(ctx.db, identity, 'update')
  if (look?.recorded.setBackId !== noticed.setBackId) return false
  const { recorded, now } = look
  await recordSetBack(ctx.db, {
    ...{ id: randomUUID(), why: noticed.why, now },
    setBacks: more === 0 ? recorded.setBacks : Math.max(recorded.setBacks, seen.setBacks) + more,
    mark: Math.max(recorded.mark, seen.mark),
  })
  return true
}

async function announceNode(ctx: Ctx, id: string): Promise<void> {
  await ctx.live.announce(ctx.db, { kind: 'node', id })
  await ctx.live.announce(ctx.db, { kind: 'node-servers', id })
}

/**
 * Handles an agent that knows more than the database, which is therefore older than it was. Compares
 * its node with the database; other agents report what they know when they connect. Begins the safe
 * mode everywhere, unless that happened recently: a lying node must not block the installation.
 */
export async function agentIsAhead(
  services: Services,
  nodeId: string,
  agent: AgentMark,
): Promise<void> {
  await lookAtDatabase(services)
  const identity = seenOf(services).identity ?? (await identityOf(services.db))
  const look = await lookAtLineage(services.db, identity)
  const { setBackId = null, agoMs = null } = look?.recorded ?? {}
  const isRecent = agoMs !== null && agoMs < AGENTS_WORD_MS
  const why = 'agent_ahead'
  const epoch = await contextFor(services, { kind: 'system' } as const).transaction(async (ctx) => {
    if (!isRecent && (await record(ctx, { why, setBackId }, 0)))
      await ctx.emit('database.set_back', { why })
    const raised = await suspectNode(ctx.db, nodeId, agent)
    await announceNode(ctx, nodeId)
    return raised
  })
  services.log.warn({ nodeId }, 'a node knows more than the database, which was set back in time')
  if (epoch !== undefined) await services.fleet.disconnectNode(nodeId, epoch)
}
