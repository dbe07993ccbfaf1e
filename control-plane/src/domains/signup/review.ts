import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import type { UserRow } from '../customers/index.ts'
import { queueMail } from '../email/index.ts'
import { signupApproved, signupRejected } from './mails.ts'
import { confirmed, openAccount, sendConfirmation } from './register.ts'
import * as store from './store.ts'

export async function approve(ctx: Ctx, customer: UserRow): Promise<void> {
  await ctx.transaction(async (ctx) => {
    if (!(await store.moveState(ctx.db, customer.id, 'pending', 'active')))
      throw new Problem(
        'invalid_state',
        'Only an account that is waiting for approval can be approved',
      )
    await openAccount(ctx, customer.id)
    await queueMail(ctx, signupApproved, {
      to: customer.email,
      userId: customer.id,
      variables: {},
    })
  })
}

export async function markVerified(ctx: Ctx, customer: UserRow): Promise<void> {
  await ctx.transaction((ctx) => confirmed(ctx, customer))
}

/** Removes an account that was never approved, and notifies its owner. */
export async function reject(ctx: Ctx, customer: UserRow, reason: string): Promise<void> {
  await ctx.transaction(async (ctx) => {
    if (!(await store.deleteWaiting(ctx.db, customer.id)))
      throw new Problem('invalid_state', 'Only a pending account can be rejected')
    await queueMail(ctx, signupRejected, {
      to: customer.email,
      userId: null,
      variables: { reason },
    })
  })
}

export async function resendConfirmation(ctx: Ctx, customer: UserRow): Promise<void> {
  if (customer.state !== 'unverified')
    throw new Problem('invalid_state', 'The address of the account is already confirmed')
  await ctx.transaction((ctx) => sendConfirmation(ctx, customer))
}
