import { randomUUIDv7 } from 'node:crypto'
import { nextDue } from '@lodge/shared/cron/due.ts'
import {
  type ChangeSchedule,
  type CreateSchedule,
  MOST_SCHEDULES,
  type Schedule,
  type ScheduleOptions,
  TASK_ACTIONS,
} from '@lodge/shared/schedules.ts'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { requireFree } from '../../db/cap.ts'
import { notFound, Problem } from '../../problem.ts'
import { findUser } from '../customers/index.ts'
import { requireQuota } from '../limits/index.ts'
import { announceDesired, holdServer, type SharedServer } from '../servers/index.ts'
import { scheduleCap } from './cap-store.ts'
import { lockOf } from './lock.ts'
import { requireCron } from './preview.ts'
import { requireTasks } from './require-tasks.ts'
import { openJobOf } from './runs/run-store.ts'
import * as store from './store.ts'
import type { ScheduleRow } from './tables.ts'
import { whyUnavailable } from './tasks/index.ts'
import { describeSchedule } from './view.ts'

export async function listSchedules(
  ctx: Ctx<User>,
  server: SharedServer,
): Promise<{ items: Schedule[]; options: ScheduleOptions }> {
  const rows = await store.listSchedules(ctx.db, server.id)
  return {
    items: rows.map((row) => describeSchedule(row, ctx.actor)),
    options: {
      timezone: await zoneOf(ctx, server.ownerId),
      most: MOST_SCHEDULES,
      actions: TASK_ACTIONS.map((action) => ({
        action,
        unavailable: whyUnavailable(action, server) ?? null,
      })),
    },
  }
}

const zoneOf = async (ctx: Ctx, ownerId: string): Promise<string> =>
  (await findUser(ctx.db, ownerId))?.timeZone ?? 'UTC'

/** Creates a schedule whose tasks run with the rights of the caller. */
export async function createSchedule(
  ctx: Ctx<User>,
  server: SharedServer,
  { force, ...given }: CreateSchedule,
): Promise<Schedule> {
  requireTasks(ctx.actor, server, given.tasks)
  if (given.cron !== undefined) requireCron(given.cron)
  const timezone = given.timezone ?? (await zoneOf(ctx, server.ownerId))
  return ctx.transaction(async (ctx) => {
    const { owner, row } = await holdServer(ctx, server)
    const used = await store.countSchedules(ctx.db, row.id)
    await requireQuota(
      ctx,
      owner,
      () => [{ capability: 'maySchedules' }, { key: 'maxServerSchedules', used, requested: 1 }],
      { force, of: row },
    )
    await requireFree(ctx.db, scheduleCap, row.id)
    const timing = {
      cron: given.cron ?? null,
      intervalMinutes: given.intervalMinutes ?? null,
      timezone,
      anchoredAt: ctx.now,
    }
    const id = randomUUIDv7()
    await store.insertSchedule(ctx.db, {
      ...timing,
      id,
      serverId: row.id,
      name: given.name ?? null,
      tasks: given.tasks,
      missed: given.missed,
      enabled: given.enabled,
      authorId: ctx.actor.id,
      nextAt: given.enabled ? nextDue(timing, ctx.now) : null,
    })
    await announceDesired(ctx, row)
    return announced(ctx, row.id, id)
  })
}

/**
 * Changes a schedule. Whoever changes its tasks becomes their author; every other change leaves them
 * with the rights of their author.
 */
export function changeSchedule(
  ctx: Ctx<User>,
  server: SharedServer,
  id: string,
  change: ChangeSchedule,
): Promise<Schedule> {
  if (change.tasks) requireTasks(ctx.actor, server, change.tasks)
  if (change.cron !== undefined) requireCron(change.cron)
  return ctx.transaction(async (ctx) => {
    const { owner, row: serverRow } = await holdServer(ctx, server)
    const row = await lockOf(ctx, server, id)
    if (change.revision !== undefined && change.revision !== row.revision)
      throw new Problem(
        'conflict',
        'Somebody has changed this schedule meanwhile: discard your changes to see theirs, then make yours again',
      )
    // Switching it off is always possible.
    const onlyOff = change.enabled === false && Object.keys(change).length === 1
    if (!onlyOff)
      await requireQuota(ctx, owner, () => [{ capability: 'maySchedules' }], { of: serverRow })
    await store.updateSchedule(ctx.db, row.id, changesOf(row, change, ctx))
    await announceDesired(ctx, serverRow)
    return announced(ctx, row.serverId, row.id)
  })
}

function changesOf(
  row: ScheduleRow,
  change: ChangeSchedule,
  { now, actor }: Pick<Ctx<User>, 'now' | 'actor'>,
): Partial<ScheduleRow> {
  const { cron, intervalMinutes, timezone, name, tasks, missed, enabled } = change
  const isTimed = cron !== undefined || intervalMinutes !== undefined
  const timing = {
    cron: isTimed ? (cron ?? null) : row.cron,
    intervalMinutes: isTimed ? (intervalMinutes ?? null) : row.intervalMinutes,
    timezone: timezone ?? row.timezone,
    anchoredAt: row.anchoredAt,
  }
  const isEnabled = enabled ?? row.enabled
  const begins = isEnabled && !row.enabled
  // Applies from now on: an interval starts anew, and missed occurrences are not made up.
  const anew = isTimed || timezone !== undefined || begins || row.problem !== null
  if (anew) timing.anchoredAt = now
  const nextAt = !isEnabled ? null : anew ? nextDue(timing, now) : row.nextAt
  return {
    ...timing,
    nextAt,
    enabled: isEnabled,
    problem: null,
    ...(name !== undefined && { name }),
    ...(missed !== undefined && { missed }),
    ...(tasks && { tasks, authorId: actor.id }),
  }
}

/** Deletes a schedule with its history. A run under way ends after its current action. */
export function deleteSchedule(ctx: Ctx<User>, server: SharedServer, id: string): Promise<void> {
  return ctx.transaction(async (ctx) => {
    const row = await lockOf(ctx, server, id)
    const jobId = await openJobOf(ctx.db, row.id)
    if (jobId !== undefined) await ctx.jobs.sagas.cancel(ctx.db, jobId)
    await store.deleteSchedule(ctx.db, row.id)
    await announceDesired(ctx, server)
    await ctx.live.announce(ctx.db, { kind: 'schedules', id: server.id })
  })
}

async function announced(ctx: Ctx<User>, serverId: string, id: string): Promise<Schedule> {
  await ctx.live.announce(ctx.db, { kind: 'schedules', id: serverId })
  const row = await store.findListed(ctx.db, id)
  if (!row) throw notFound('schedule')
  return describeSchedule(row, ctx.actor)
}
