import type { Violation } from '@lodge/shared/limits/check.ts'
import { isNumberKey, LIMIT_KEYS } from '@lodge/shared/limits/keys.ts'
import type { Ctx } from '../../context.ts'
import type { UserRow } from '../customers/index.ts'
import { amountIn, amountWords } from './amount-words.ts'
import { beginsOver, mayNotify } from './notice-store.ts'

/**
 * Reports what a limit would have refused if it were enforced: at once, and by mail once in three
 * days.
 */
export async function reportExceeded(
  ctx: Ctx,
  owner: Pick<UserRow, 'id' | 'email'>,
  { key, message, value, used, requested }: Violation,
  tellCustomer: boolean,
): Promise<void> {
  const byMail =
    tellCustomer && (await mayNotify(ctx.db, { userId: owner.id, limit: key, kind: 'exceeded' }))
  const amount =
    isNumberKey(key) && value !== undefined
      ? amountWords(key, (used ?? 0) + (requested ?? 0), value)
      : undefined
  // The host is notified here, so the periodic check must not report it again.
  await beginsOver(ctx.db, owner.id, key)
  await ctx.emit('limit.exceeded', {
    userId: owner.id,
    email: owner.email,
    limit: key,
    kind: amount?.kind ?? LIMIT_KEYS[key].kind,
    message,
    amount: amount && amountIn(amount),
    tellCustomer,
    byMail,
  })
}
