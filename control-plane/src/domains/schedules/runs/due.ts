import { randomUUIDv7 } from 'node:crypto'
import type { System } from '../../../actor.ts'
import { type Ctx, contextFor } from '../../../context.ts'
import { databaseFault, repairableAlone } from '../../../db/database.ts'
import { watcher } from '../../../jobs/periodic-task.ts'
import type { Services } from '../../../services.ts'
import { nameOf } from '../view.ts'
import { beginRuns, newRun } from './begin.ts'
import { type Decision, decide, skipped } from './decide.ts'
import { ANY_DUE, advance, type DueSchedule, takeDue } from './due-store.ts'
import { insertRuns } from './run-store.ts'

/** Schedules handled in one transaction. */
const AT_ONCE = 250
/** Transactions in one round; then the other periodic tasks have their turn. */
const ROUNDS = 100

/**
 * Begins what is due. Several control planes may run this concurrently: a schedule is locked, skipped
 * by the others, and advanced in the transaction that creates its run and the run's job, so each
 * occurrence runs exactly once even if a process is killed.
 */
export const dueSchedules = watcher('schedules.due', ANY_DUE, async (services) => {
  let begun = 0
  for (let round = 0; round < ROUNDS; round++) {
    const did = await takeBatch(services)
    begun += did.begun
    if (did.taken < AT_ONCE) break
  }
  return { begun }
})

async function takeBatch(services: Services): Promise<{ taken: number; begun: number }> {
  try {
    return await handle(services, AT_ONCE)
  } catch (error) {
    if (isPassing(error)) throw error
    services.log.warn({ err: error }, 'due schedules are taken one by one')
  }
  // One of them is faulty and must not hold up the others.
  let begun = 0
  for (let taken = 0; taken < AT_ONCE; taken++) {
    const tried: DueSchedule[] = []
    try {
      const did = await handle(services, 1, tried)
      if (did.taken === 0) return { taken, begun }
      begun += did.begun
    } catch (error) {
      const [schedule] = tried
      if (!schedule || isPassing(error)) throw error
      services.log.error({ err: error, scheduleId: schedule.id }, 'a schedule cannot be run')
      await putAside(services, schedule)
    }
  }
  return { taken: AT_ONCE, begun }
}

/** The fault is the database's, not a schedule's: the same ones are tried again a second later. */
const isPassing = (error: unknown): boolean =>
  databaseFault(error) !== undefined && !repairableAlone(error)

/** Stops a schedule after a fault of ours, until somebody changes it. */
async function putAside(services: Services, schedule: DueSchedule): Promise<void> {
  const problem = 'It could not be run because of a fault of the panel: save it to try again'
  // First and in its own statement: even if the rest fails, it delays no other schedule any more.
  await advance(services.db, [{ id: schedule.id, nextAt: null, problem }])
  const system = contextFor(services, { kind: 'system' } as const)
  await system.transaction(async (ctx) => {
    await tell(ctx, { schedule, decision: { run: null, unrun: [], nextAt: null, problem } })
    await ctx.live.announce(ctx.db, { kind: 'schedules', id: schedule.serverId })
  })
}

function handle(
  services: Services,
  most: number,
  tried: DueSchedule[] = [],
): Promise<{ taken: number; begun: number }> {
  const system = contextFor(services, { kind: 'system' } as const)
  return system.transaction(async (ctx) => {
    const due = await takeDue(ctx.db, most)
    tried.splice(0, tried.length, ...due)
    if (due.length === 0) return { taken: 0, begun: 0 }
    const all = due.map((schedule) => ({ schedule, decision: decide(schedule, ctx.now) }))
    const wanted = all.flatMap(({ schedule, decision: { run } }) =>
      run === null ? [] : [newRun(schedule, run)],
    )
    const begun = await beginRuns(ctx, wanted)
    const began = new Set(begun.map(({ schedule }) => schedule.id))
    const settled = all.map(({ schedule, decision }) => ({
      schedule,
      // Somebody has started a run by hand meanwhile.
      decision:
        decision.run === null || began.has(schedule.id)
          ? decision
          : skipped(decision.run, decision.nextAt),
    }))
    await note(ctx, settled)
    return { taken: due.length, begun: begun.length }
  })
}

interface Decided {
  readonly schedule: DueSchedule
  readonly decision: Decision
}

/** Advances the schedules, records what did not run, and notifies those concerned. */
async function note(ctx: Ctx<System>, all: readonly Decided[]): Promise<void> {
  const now = ctx.now
  await insertRuns(
    ctx.db,
    all.flatMap(({ schedule, decision }) =>
      decision.unrun.map((one) => ({
        ...{ id: randomUUIDv7(), scheduleId: schedule.id, results: [] },
        ...{ ...one, startedAt: one.dueAt, endedAt: now },
      })),
    ),
  )
  await advance(
    ctx.db,
    all.map(({ schedule: { id }, decision: { nextAt, problem } }) => ({ id, nextAt, problem })),
  )
  for (const one of all) await tell(ctx, one)
  const servers = new Set(all.map(({ schedule }) => schedule.serverId))
  await ctx.live.announceAll(ctx.db, 'schedules', [...servers])
}

async function tell(ctx: Ctx<System>, { schedule, decision }: Decided): Promise<void> {
  const missed = decision.unrun.filter(({ state }) => state === 'missed')
  const newest = missed.at(-1)
  const isLost = newest !== undefined && schedule.missed === 'skip'
  if (!isLost && decision.problem === null) return
  const news = {
    serverId: schedule.serverId,
    serverName: schedule.server.name,
    ownerId: schedule.server.ownerId,
    authorId: schedule.authorId,
    scheduleId: schedule.id,
    scheduleName: nameOf(schedule),
  }
  if (decision.problem !== null)
    return ctx.emit('schedule.failed', { ...news, reason: decision.problem })
  if (isLost) await ctx.emit('schedule.missed', { ...news, count: missed.length, at: newest.dueAt })
}
