import { randomUUIDv7 } from 'node:crypto'
import type { AnswerAppeal, WaitingAppeal } from '@lodge/shared/suspensions.ts'
import type { z } from 'zod'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { Problem } from '../../../problem.ts'
import { sendWith } from '../../attachments/index.ts'
import type { UserRow } from '../../customers/index.ts'
import * as store from '../appeals/appeal-store.ts'
import { moved } from '../appeals/rules.ts'
import { APPEAL_MESSAGE } from '../appeals/view.ts'
import { liftSuspension } from '../lift.ts'
import { lockSuspended } from '../suspend.ts'

/** Answers the appeal of a customer, and decides it if requested. */
export async function answerAppeal(
  ctx: Ctx<User>,
  customer: UserRow,
  given: z.output<typeof AnswerAppeal>,
): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const { account, row } = await lockSuspended(ctx, customer.id)
    const appeal = await store.findUndecided(ctx.db, row.id)
    if (!appeal) throw new Problem('invalid_state', 'There is no open appeal to answer')
    const state = moved(appeal.state, given.decision ?? 'answer')
    const decided = given.decision !== undefined
    await store.updateAppeal(ctx.db, appeal.id, {
      ...{ state, waitingSince: null },
      ...(decided && { decidedAt: ctx.now, decidedBy: ctx.actor.id }),
    })
    const id = randomUUIDv7()
    const { message: text } = given
    await store.insertMessage(ctx.db, {
      ...{ id, appealId: appeal.id, sender: 'staff' as const, authorId: ctx.actor.id, text },
    })
    await sendWith(ctx, given.attachments, { kind: APPEAL_MESSAGE, id })
    const decision = state === 'granted' || state === 'rejected' ? state : null
    const { id: userId, email } = account
    await ctx.emit('appeal.answered', { userId, email, message: text, decision })
    if (given.decision === 'grant' && given.lift)
      await liftSuspension(ctx, customer, {
        reason: 'The appeal was granted',
        restoreRunning: given.restoreRunning,
      })
  })
}

/** Appeals that wait for an answer, the one that waits longest first. */
export async function waitingAppeals(ctx: Ctx): Promise<{ items: WaitingAppeal[] }> {
  const rows = await store.listWaiting(ctx.db)
  return {
    items: rows.map(({ openedAt, waitingSince, ...row }) => ({
      ...row,
      openedAt: openedAt.toISOString(),
      waitingSince: (waitingSince ?? openedAt).toISOString(),
    })),
  }
}
