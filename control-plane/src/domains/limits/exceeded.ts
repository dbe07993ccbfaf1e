import type { Violation } from '@lodge/shared/limits/check.ts'
import type { Ctx } from '../../context.ts'
import type { UserRow } from '../customers/index.ts'
import { beginsOver, mayNotify } from './notice-store.ts'

/**
 * Reports what a limit would have refused if it were enforced: immediately, and by mail once in three
 * days.
 */
export async function reportExceeded(
  ctx: Ctx,
  owner: Pick<UserRow, 'id' | 'email'>,
  { key, value, used, requested }: Violation,
  tellCustomer: boolean,
): Promise<void> {
  const byMail =
    tellCustomer && (await mayNotify(ctx.db, { userId: owner.id, limit: key, kind: 'exceeded' }))
  const amount = value === undefined ? undefined : { used: (used ?? 0) + (requested ?? 0), value }
  // The host is notified here, so the periodic check must not report it again.
  await beginsOver(ctx.db, owner.id, key)
  await ctx.emit('limit.exceeded', {
    userId: owner.id,
    email: owner.email,
    limit: key,
    amount,
    tellCustomer,
    byMail,
  })
}
