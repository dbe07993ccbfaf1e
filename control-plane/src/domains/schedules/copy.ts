import { randomUUIDv7 } from 'node:crypto'
import { nextDue } from '@lodge/shared/cron/due.ts'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { invalid } from '../../http/input.ts'
import { findUser } from '../customers/index.ts'
import { requireQuota } from '../limits/index.ts'
import type { ServerRow } from '../servers/index.ts'
import * as store from './store.ts'

/**
 * Gives a new server the schedules of another one. Those by its owner keep their author; for the
 * others, the person who copies becomes the author, and that person's rights apply.
 */
export async function copySchedules(
  ctx: Ctx<User>,
  fromId: string,
  to: Pick<ServerRow, 'id' | 'ownerId' | 'subscriptionId'>,
  force: boolean | undefined,
): Promise<void> {
  const schedules = await store.listSchedules(ctx.db, fromId)
  if (schedules.length === 0) return
  const owner = await findUser(ctx.db, to.ownerId)
  if (!owner) throw invalid([{ pointer: '/ownerId', detail: 'is not an account' }])
  await requireQuota(
    ctx,
    owner,
    () => [
      { capability: 'maySchedules' },
      { key: 'maxServerSchedules', used: 0, requested: schedules.length },
    ],
    { force, of: to },
  )
  for (const {
    name,
    cron,
    intervalMinutes,
    timezone,
    tasks,
    missed,
    enabled,
    authorId,
  } of schedules) {
    const timing = { cron, intervalMinutes, timezone, anchoredAt: ctx.now }
    await store.insertSchedule(ctx.db, {
      ...timing,
      id: randomUUIDv7(),
      serverId: to.id,
      name,
      tasks,
      missed,
      enabled,
      authorId: authorId === to.ownerId ? authorId : ctx.actor.id,
      nextAt: enabled ? nextDue(timing, ctx.now) : null,
    })
  }
}
