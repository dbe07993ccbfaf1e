import { randomBytes, randomUUIDv7 } from 'node:crypto'
import type { Anyone, User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import type { Exchange } from '../../../http/endpoint.ts'
import {
  emailTaken,
  findFormerAddress,
  hashPassword,
  insertFormerAddress,
  lockOwner,
  takeFormerAddress,
  updateUser,
} from '../../customers/index.ts'
import { invalidLink, tokenHashOf } from '../links/account-tokens.ts'
import { replacePassword } from './passwords.ts'

const UNDO_HOURS = 72

/** Reserves the address an account gives up, with a right to take it back. */
export async function keepFormerAddress(
  ctx: Ctx,
  userId: string,
  email: string,
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(ctx.now.getTime() + UNDO_HOURS * 3_600_000)
  const row = { id: randomUUIDv7(), userId, email, tokenHash: tokenHashOf(token), expiresAt }
  await insertFormerAddress(ctx.db, row)
  return { token, expiresAt }
}

/**
 * Restores a changed address through the link mailed to it. Whoever changed it may know the
 * password, so a new one is set and all access ends; second factors stay.
 */
export async function undoEmailChange(
  ctx: Ctx<Anyone | User>,
  given: { token: string; password: string },
  http: Exchange,
): Promise<{ email: string }> {
  const tokenHash = tokenHashOf(given.token)
  // Checked before hashing, so that nobody can make us hash without a valid link.
  if (!(await findFormerAddress(ctx.db, tokenHash))) throw invalidLink()
  const passwordHash = await hashPassword(given.password)
  try {
    return await ctx.transaction(async (ctx) => {
      const found = await findFormerAddress(ctx.db, tokenHash)
      const user = found && (await lockOwner(ctx.db, found.userId))
      const former = user && (await takeFormerAddress(ctx.db, tokenHash))
      if (!former) throw invalidLink()
      const { email } = former
      await updateUser(ctx.db, user.id, { email })
      await replacePassword(ctx, { ...user, email }, passwordHash, http)
      const given = { userId: user.id, email: user.email, restoredEmail: email }
      await ctx.emit('account.email_restored', { ...given, address: http.request.address })
      return { email }
    })
  } catch (error) {
    throw emailTaken(error)
  }
}
