import type { ScheduleRun } from '@lodge/shared/schedules.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { cutPage, decodeCursor, invalidCursor } from '../../../db/cursor.ts'
import { UUID } from '../../../http/authorize.ts'
import { notFound } from '../../../problem.ts'
import type { SharedServer } from '../../servers/index.ts'
import { findSchedule } from '../store.ts'
import { describeRun, shownTo } from '../view.ts'
import { listRunsOf } from './run-store.ts'

/** One page of a schedule's runs, newest first. */
export async function listRuns(
  ctx: Ctx<User>,
  server: SharedServer,
  id: string,
  query: { readonly limit: number; readonly after?: string | undefined },
): Promise<{ items: ScheduleRun[]; nextCursor: string | null }> {
  const schedule = UUID.test(id) ? await findSchedule(ctx.db, id) : undefined
  if (schedule?.serverId !== server.id) throw notFound('schedule')
  const after = decodeCursor(query.after)
  if (after && Number.isNaN(Date.parse(after[0]))) throw invalidCursor()
  const rows = await listRunsOf(ctx.db, schedule.id, after, query.limit + 1)
  const page = cutPage(rows, query.limit, ({ row }) => [row.startedAt.toISOString(), row.id])
  return {
    items: page.items.map(({ row, starter }) => describeRun(row, shownTo(ctx.actor, starter))),
    nextCursor: page.nextCursor,
  }
}
