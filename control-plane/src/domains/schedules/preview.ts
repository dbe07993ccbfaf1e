import { describeOccurrences } from '@lodge/shared/cron/daylight.ts'
import { nextDue } from '@lodge/shared/cron/due.ts'
import { cronProblem } from '@lodge/shared/cron/expression.ts'
import type { CronPreview, PreviewQuery } from '@lodge/shared/schedules.ts'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { invalid } from '../../http/input.ts'
import { findUser } from '../customers/index.ts'

/** The next occurrences in the time zone, with the effects of daylight saving time. */
export async function previewOccurrences(
  ctx: Ctx<User>,
  { cron, intervalMinutes, timezone, count }: PreviewQuery,
): Promise<CronPreview> {
  if ((cron === undefined) === (intervalMinutes === undefined))
    throw invalid([
      { pointer: '/cron', detail: 'give either a cron expression or an interval in minutes' },
    ])
  if (cron !== undefined) requireCron(cron)
  const zone = timezone ?? (await findUser(ctx.db, ctx.actor.id))?.timeZone ?? 'UTC'
  const timing = {
    cron: cron ?? null,
    intervalMinutes: intervalMinutes ?? null,
    timezone: zone,
    anchoredAt: ctx.now,
  }
  const times: Date[] = []
  for (let at = nextDue(timing, ctx.now); at !== null && times.length < count; ) {
    times.push(at)
    at = nextDue(timing, at)
  }
  return { timezone: zone, occurrences: describeOccurrences({ cron, zone }, ctx.now, times) }
}

/** @throws {Problem} validation_failed, naming what is wrong with which field */
export function requireCron(expression: string): void {
  const problem = cronProblem(expression)
  if (problem !== undefined) throw invalid([{ pointer: '/cron', detail: problem }])
}
