import { randomUUIDv7 } from 'node:crypto'
import { waitingResults } from '@lodge/shared/schedule-tasks.ts'
import type { System } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { aboutServer, type ServerRow } from '../../servers/index.ts'
import type { ScheduleRow } from '../tables.ts'
import { nameOf } from '../view.ts'
import { runSaga } from './run-saga.ts'
import { insertRuns } from './run-store.ts'

/** A schedule with what its runs need to know about its server and author. */
export interface PlacedSchedule extends ScheduleRow {
  readonly server: Pick<ServerRow, 'id' | 'name' | 'nodeId' | 'ownerId'>
  /** Null if the author is gone; then the run fails and says so. */
  readonly authorRole: 'admin' | 'customer' | null
  /** Its node may run occurrences on its own, so each is claimed from it first. */
  readonly mustClaim: boolean
}

export interface NewRun {
  readonly id: string
  readonly jobId: string
  readonly schedule: PlacedSchedule
  /** Null for a run that a person starts. */
  readonly dueAt: Date | null
  readonly startedBy?: string
}

export const newRun = (schedule: PlacedSchedule, dueAt: Date | null): NewRun => ({
  ...{ id: randomUUIDv7(), jobId: randomUUIDv7() },
  ...{ schedule, dueAt },
})

/**
 * Creates runs with their jobs, which act with the rights of the authors and cannot exceed limits.
 * @returns the runs that began; schedules with an open run are skipped
 */
export async function beginRuns(ctx: Ctx<System>, runs: readonly NewRun[]): Promise<NewRun[]> {
  const begun = await insertRuns(
    ctx.db,
    runs.map(({ id, jobId, schedule, dueAt, startedBy }) => ({
      ...{ id, jobId, scheduleId: schedule.id, dueAt },
      state: 'running' as const,
      startedAt: ctx.now,
      startedBy: startedBy ?? null,
      results: waitingResults(schedule.tasks),
    })),
  )
  const ours = runs.filter(({ id }) => begun.has(id))
  await ctx.jobs.sagas.enqueueAll(
    ctx.db,
    runSaga,
    ours.map(({ id, jobId, schedule, dueAt }) => ({
      id: jobId,
      input: {
        runId: id,
        scheduleId: schedule.id,
        scheduleName: nameOf(schedule),
        serverId: schedule.serverId,
        authorId: schedule.authorId,
        tasks: schedule.tasks,
        claim: schedule.mustClaim ? (dueAt?.toISOString() ?? null) : null,
      },
      about: aboutServer(schedule.server, `Run ${nameOf(schedule)} of ${schedule.server.name}`),
      authority: {
        as: schedule.authorRole === 'admin' ? ('administrator' as const) : ('customer' as const),
        mayForceLimits: false,
        userId: schedule.authorId,
      },
    })),
  )
  return ours
}
