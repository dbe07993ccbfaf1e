import type { Ctx } from '../../context.ts'
import { UUID } from '../../http/authorize.ts'
import { notFound } from '../../problem.ts'
import type { SharedServer } from '../servers/index.ts'
import { lockSchedule } from './store.ts'
import type { ScheduleRow } from './tables.ts'

/** Locks a schedule of this server; one of another server is not found. */
export async function lockOf(
  ctx: Ctx,
  server: Pick<SharedServer, 'id'>,
  id: string,
): Promise<ScheduleRow> {
  const row = UUID.test(id) ? await lockSchedule(ctx.db, server.id, id) : undefined
  if (!row) throw notFound('schedule')
  return row
}
