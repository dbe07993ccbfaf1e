import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto'
import type { ApiToken, CreateToken } from '@lodge/shared/accounts.ts'
import { SCOPE_NEEDS } from '@lodge/shared/permissions.ts'
import { hasPermission, type User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { requireFree } from '../../../db/cap.ts'
import type { Db } from '../../../db/database.ts'
import { invalid } from '../../../http/input.ts'
import { notFound, Problem } from '../../../problem.ts'
import { lockOwner, restrictionOf } from '../../customers/index.ts'
import { tokenCap } from '../cap-store.ts'
import { lockSession } from '../viewing/store.ts'
import * as store from './token-store.ts'

/** Recognisable by secret scanners. */
const FORM = /^lodge_[0-9a-f]{12}_[A-Za-z0-9_-]{43}$/
const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

const describe = (row: store.TokenRow): ApiToken => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  scopes: row.scopes,
  createdBy: row.createdByEmail,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
})

export const listTokens = async (db: Db): Promise<{ items: ApiToken[] }> => ({
  items: (await store.listTokens(db)).map(describe),
})

/** Creates a token; its secret is only in the response. */
export async function createToken(
  ctx: Ctx<User>,
  given: CreateToken,
): Promise<ApiToken & { secret: string }> {
  // A token must not grant more than its creator may do.
  const lacking = given.scopes.find((scope) => !hasPermission(ctx.actor, SCOPE_NEEDS[scope]))
  if (lacking) {
    const permission = SCOPE_NEEDS[lacking]
    throw new Problem(
      'permission_required',
      `The scope ${lacking} needs the permission ${permission}`,
      {
        fields: { permission },
      },
    )
  }
  const expiresAt = given.expiresAt === undefined ? null : new Date(given.expiresAt)
  if (expiresAt && expiresAt <= ctx.now) {
    throw invalid([{ pointer: '/expiresAt', detail: 'is in the past' }])
  }
  const id = randomUUIDv7()
  const prefix = `lodge_${randomBytes(6).toString('hex')}`
  const secret = `${prefix}_${randomBytes(32).toString('base64url')}`
  await ctx.transaction(async (ctx) => {
    // Whoever ends the session meanwhile finds the token, too, or no token is made any more.
    await lockOwner(ctx.db, ctx.actor.id)
    if (!(await lockSession(ctx.db, ctx.actor.sessionId)))
      throw new Problem('authentication_required', 'Sign in to do this')
    await requireFree(ctx.db, tokenCap)
    await store.insertToken(ctx.db, {
      id,
      userId: ctx.actor.id,
      name: given.name,
      prefix,
      scopes: [...new Set(given.scopes)],
      tokenHash: hashOf(secret),
      expiresAt,
    })
    const { id: userId, email } = ctx.actor
    await ctx.emit('account.token_created', { userId, email, name: given.name })
  })
  const row = await store.findToken(ctx.db, id)
  if (!row) throw notFound('token')
  return { ...describe(row), secret }
}

export async function revokeToken(ctx: Ctx, id: string): Promise<void> {
  if (!(await store.deleteToken(ctx.db, id))) throw notFound('token')
}

/** The caller behind a bearer token: its creator, limited to the token's scopes. */
export async function userOfToken(
  db: Db,
  secret: string,
  address: string,
): Promise<User | undefined> {
  if (!FORM.test(secret)) return undefined
  const found = await store.findTokenByHash(db, hashOf(secret))
  // Checked on every request: a token is worth no more than its creator's current rights.
  if (found?.user.role !== 'admin') return undefined
  const { state } = found.user
  if (state !== 'active' && state !== 'suspended') return undefined
  await store.touchToken(db, found.token.id)
  const { user, token } = found
  return {
    kind: 'user',
    id: user.id,
    email: user.email,
    address,
    sessionId: token.id,
    role: user.role,
    superAdmin: user.superAdmin,
    suspended: restrictionOf(user),
    permissions: new Set(user.permissions),
    scopes: new Set(token.scopes),
  }
}
