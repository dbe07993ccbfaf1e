import type { Violation } from '@lodge/shared/limits/check.ts'
import { LIMIT_KEYS } from '@lodge/shared/limits/keys.ts'
import type { Ctx } from '../../context.ts'
import type { UserRow } from '../customers/index.ts'
import { beginsOver, mayTell } from './notice-store.ts'

/** Tells of what a limit would have refused where it only warns: at once, by mail once in three days. */
export async function tellExceeded(
  ctx: Ctx,
  owner: Pick<UserRow, 'id' | 'email'>,
  { key, message }: Violation,
  tellCustomer: boolean,
): Promise<void> {
  const byMail =
    tellCustomer && (await mayTell(ctx.db, { userId: owner.id, limit: key, kind: 'exceeded' }))
  // The host hears of it here, so not once more when the limits are gone through.
  await beginsOver(ctx.db, owner.id, key)
  await ctx.emit('limit.exceeded', {
    userId: owner.id,
    email: owner.email,
    limit: key,
    kind: LIMIT_KEYS[key].kind,
    message,
    tellCustomer,
    byMail,
  })
}
