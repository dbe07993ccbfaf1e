import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto'
import type { Ctx } from '../../../context.ts'
import { Problem } from '../../../problem.ts'
import { lockOwner, type UserRow } from '../../customers/index.ts'
import * as store from './store.ts'

const LIFE_HOURS: Readonly<Record<store.TokenPurpose, number>> = {
  invitation: 7 * 24,
  reset: 1,
  verify: 24,
  email_change: 24,
  team_invite: 3 * 24,
  team_transfer: 24,
}

export const tokenHashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Issues a one-time token of 256 bits, to be mailed as a link. */
export async function issueAccountToken(
  ctx: Ctx,
  userId: string,
  purpose: store.TokenPurpose,
  data: Readonly<Record<string, string>> = {},
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(ctx.now.getTime() + LIFE_HOURS[purpose] * 3_600_000)
  const row = { id: randomUUIDv7(), userId, purpose, data, tokenHash: tokenHashOf(token) }
  await store.insertAccountToken(ctx.db, { ...row, expiresAt })
  return { token, expiresAt }
}

/**
 * Redeems a token; unknown, used and expired tokens are refused alike. Of two concurrent uses only
 * one succeeds.
 * @returns its data, and its account, locked until the transaction ends
 */
export async function redeemAccountToken(
  ctx: Ctx,
  token: string,
  ...purposes: store.TokenPurpose[]
): Promise<{ user: UserRow; data: store.AccountTokenRow['data'] }> {
  const found = await store.findAccountToken(ctx.db, tokenHashOf(token), purposes)
  const user = found && (await lockOwner(ctx.db, found.userId))
  const row = user && (await store.takeAccountToken(ctx.db, tokenHashOf(token), purposes))
  if (!row) throw invalidLink()
  return { user, data: row.data }
}

export const invalidLink = () =>
  new Problem(
    'invalid_token',
    'This link no longer works, because it was used or has expired: request a new one',
  )

/** The owner of a token, without redeeming it. */
export const peekAccountToken = (
  ctx: Ctx,
  token: string,
  purpose: store.TokenPurpose,
): Promise<store.AccountTokenRow | undefined> =>
  store.findAccountToken(ctx.db, tokenHashOf(token), [purpose])
