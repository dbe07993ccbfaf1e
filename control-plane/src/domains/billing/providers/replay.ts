import type { Ctx } from '../../../context.ts'
import { notFound } from '../../../problem.ts'
import { findEvent, updateEvent } from './event-store.ts'

/** Processes an event again; its effects are idempotent. */
export async function replayEvent(ctx: Ctx, now: Date, id: string): Promise<void> {
  if (!(await findEvent(ctx.db, id))) throw notFound('event')
  await updateEvent(ctx.db, id, { state: 'waiting', attempts: 0, nextAt: now, failure: null })
}
