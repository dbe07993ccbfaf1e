import { randomUUIDv7 } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Attachment, AttachmentUpload } from '@lodge/shared/attachments.ts'
import type { OpenAppeal, OwnSuspension, ReplyInAppeal } from '@lodge/shared/suspensions.ts'
import type { z } from 'zod'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import type { Exchange } from '../../../http/endpoint.ts'
import { notFound, Problem } from '../../../problem.ts'
import { keepAttachment, sendWith } from '../../attachments/index.ts'
import * as store from '../appeals/appeal-store.ts'
import { moved, standingOf } from '../appeals/rules.ts'
import { APPEAL_MESSAGE } from '../appeals/view.ts'
import { findActive } from '../store.ts'
import { lockSuspended } from '../suspend.ts'
import { ownSuspension } from '../view.ts'

/** Actions of a suspended person in their own appeal; each returns the updated suspension. */

export async function openAppeal(
  ctx: Ctx<User>,
  given: z.output<typeof OpenAppeal>,
): Promise<OwnSuspension> {
  return ctx.transaction(async (ctx) => {
    const { row, settings } = await lockSuspended(ctx, ctx.actor.id)
    const earlier = await store.listAppeals(ctx.db, [row.id])
    const shown = earlier.map(({ state, decidedAt }) => ({
      state,
      decidedAt: decidedAt?.toISOString() ?? null,
    }))
    const { whyNot, from } = standingOf(row, shown, settings, ctx.now)
    if (whyNot !== null) throw new Problem('appeal_not_possible', whyNot, { fields: { from } })
    const appeal = await store.insertAppeal(ctx.db, {
      ...{ id: randomUUIDv7(), suspensionId: row.id, state: 'open' as const },
      ...{ openedAt: ctx.now, waitingSince: ctx.now },
    })
    await say(ctx, appeal.id, given)
    const { id: userId, email } = ctx.actor
    await ctx.emit('appeal.opened', { userId, email, again: false })
    return shownAfter(ctx)
  })
}

export async function replyInAppeal(
  ctx: Ctx<User>,
  given: z.output<typeof ReplyInAppeal>,
): Promise<OwnSuspension> {
  return ctx.transaction(async (ctx) => {
    const appeal = await lockOwnAppeal(ctx)
    await store.updateAppeal(ctx.db, appeal.id, {
      state: moved(appeal.state, 'reply'),
      waitingSince: appeal.waitingSince ?? ctx.now,
    })
    await say(ctx, appeal.id, given)
    const { id: userId, email } = ctx.actor
    await ctx.emit('appeal.opened', { userId, email, again: true })
    return shownAfter(ctx)
  })
}

/** @throws {Problem} invalid_state unless the caller is suspended: files are for appeals only */
export async function attachToAppeal(
  ctx: Ctx<User>,
  given: z.output<typeof AttachmentUpload>,
  bytes: Readable,
  http: Exchange,
): Promise<Attachment> {
  if (!(await findActive(ctx.db, ctx.actor.id)))
    throw new Problem('invalid_state', 'The account is not suspended')
  return keepAttachment(ctx, given, bytes, http)
}

export async function withdrawAppeal(ctx: Ctx<User>): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const appeal = await lockOwnAppeal(ctx)
    await store.updateAppeal(ctx.db, appeal.id, {
      ...{ state: moved(appeal.state, 'withdraw'), decidedAt: ctx.now, waitingSince: null },
    })
  })
}

/** The suspension's lock serialises what both sides do. */
async function lockOwnAppeal(ctx: Ctx<User>) {
  const { row } = await lockSuspended(ctx, ctx.actor.id)
  const appeal = await store.findUndecided(ctx.db, row.id)
  if (!appeal) throw new Problem('invalid_state', 'There is no open appeal')
  return appeal
}

async function say(
  ctx: Ctx<User>,
  appealId: string,
  { message: text, attachments }: z.output<typeof ReplyInAppeal>,
): Promise<void> {
  const id = randomUUIDv7()
  await store.insertMessage(ctx.db, {
    ...{ id, appealId, sender: 'customer' as const, authorId: ctx.actor.id, text },
  })
  await sendWith(ctx, attachments, { kind: APPEAL_MESSAGE, id })
}

async function shownAfter(ctx: Ctx<User>): Promise<OwnSuspension> {
  const shown = await ownSuspension(ctx)
  if (!shown) throw notFound('suspension')
  return shown
}
