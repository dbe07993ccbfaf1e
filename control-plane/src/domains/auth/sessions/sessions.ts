import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto'
import type { Session, SupportView } from '@lodge/shared/accounts.ts'
import { deviceOf } from '@lodge/shared/device.ts'
import { standingMark, type User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { batched } from '../../../db/batched.ts'
import type { Db } from '../../../db/database.ts'
import { SESSION_COOKIE } from '../../../http/authenticate.ts'
import { accountSuspended } from '../../../http/authorize.ts'
import type { Exchange } from '../../../http/endpoint.ts'
import { notFound } from '../../../problem.ts'
import { restrictionOf, type UserRow, updateUser } from '../../customers/index.ts'
import { endOldestSessions } from '../cap-store.ts'
import { tellEnded } from '../end-access.ts'
import * as store from '../store.ts'
import { asCustomer, stopViewing, viewsOf } from '../viewing/viewing.ts'
import { ABSOLUTE_DAYS, cookieOptions, forgetLanguage, rememberLanguage } from './cookies.ts'
import { rememberDevice } from './known-device.ts'
import { noticeDevice } from './new-device.ts'

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Starts a session with a fresh id, ignoring any cookie the browser sent, to prevent session
 * fixation.
 * @throws {Problem} account_suspended if the account may not even see its suspension. Whoever gets
 * here has proved who they are, with every factor.
 */
export async function startSession(ctx: Ctx, user: UserRow, http: Exchange): Promise<void> {
  const restriction = restrictionOf(user)
  if (restriction && !restriction.signIn && !restriction.notice) throw accountSuspended()
  if (ctx.language !== undefined && ctx.language !== user.lastLanguage)
    await updateUser(ctx.db, user.id, { lastLanguage: ctx.language })
  for (const id of await endOldestSessions(ctx.db, user.id))
    await ctx.live.announce(ctx.db, { kind: 'session', id })
  const token = randomBytes(32).toString('base64url')
  const maxAgeSeconds = ABSOLUTE_DAYS[user.role] * 86_400
  const id = randomUUIDv7()
  await store.insertSession(ctx.db, {
    id,
    userId: user.id,
    tokenHash: hashOf(token),
    userAgent: (http.request.headers['user-agent'] ?? '').slice(0, 300),
    address: http.request.address,
    provedAt: ctx.now,
    expiresAt: new Date(ctx.now.getTime() + maxAgeSeconds * 1000),
  })
  await follow(ctx, user.id, http.request.cookies[SESSION_COOKIE], id)
  await noticeDevice(ctx, user, deviceOf(http.request.headers['user-agent'] ?? ''), http)
  rememberDevice(ctx, user, http)
  rememberLanguage(user, http)
  http.reply.setCookie(SESSION_COOKIE, token, { ...cookieOptions(http), maxAge: maxAgeSeconds })
}

/**
 * Hands what belongs to this browser to the new session, if its last session was of the same person.
 */
async function follow(
  ctx: Ctx,
  userId: string,
  cookie: string | undefined,
  sessionId: string,
): Promise<void> {
  const former =
    cookie === undefined ? undefined : await store.findSessionId(ctx.db, userId, hashOf(cookie))
  if (former !== undefined)
    await ctx.emit('account.session_followed', { userId, former, sessionId })
}

function clearCookies(http: Exchange): void {
  http.reply.clearCookie(SESSION_COOKIE, cookieOptions(http))
  forgetLanguage(http)
}

/** Resolves a cookie to its user. Concurrent requests share one query. */
export function sessionUsers(
  db: Db,
): (token: string, address: string) => Promise<User | undefined> {
  const sessionOf = batched((hashes) => store.findSessions(db, hashes))
  return async (token, address) => {
    if (token.length > 128) return undefined
    // Only hashes are stored, so a stolen database contains no usable cookies.
    const found = await sessionOf(hashOf(token).toString('hex'))
    if (!found) return undefined
    if (found.stale) await store.touchSession(db, found.sessionId, address)
    return actorOf(found, address)
  }
}

/** The present standing of open sessions, as `standingMark` writes it. */
export async function standingsOf(
  db: Db,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await store.findSessionsById(db, sessionIds)
  return new Map(found.map((one) => [one.sessionId, standingMark(actorOf(one, ''))]))
}

function actorOf(found: store.KnownSession, address: string): User {
  const { id, email, role, superAdmin, permissions, sessionId, provedAt } = found
  const user: User = {
    ...{ kind: 'user', id, email, address, sessionId, role, superAdmin, provedAt },
    permissions: new Set(permissions),
    mustSetUpFactor: found.mustSetUpFactor,
    suspended: restrictionOf(found),
  }
  if (found.viewingId === null) return user
  return asCustomer(user, {
    id: found.viewingId,
    until: found.viewingUntil,
    customerId: found.viewedId,
    email: found.viewedEmail,
    suspended: restrictionOf({ state: found.viewedState, restriction: found.viewedRestriction }),
  })
}

export async function ownSessions(
  ctx: Ctx<User>,
): Promise<{ items: Session[]; views: SupportView[] }> {
  const rows = await store.listSessions(ctx.db, ctx.actor.id)
  return {
    items: rows.map((row) => ({
      id: row.id,
      current: row.id === ctx.actor.sessionId,
      device: deviceOf(row.userAgent),
      address: row.address,
      createdAt: row.createdAt.toISOString(),
      lastSeenAt: row.lastSeenAt.toISOString(),
    })),
    views: await viewsOf(ctx),
  }
}

/** Signs out the person at the browser: the viewer, if there is one. */
export async function signOut(ctx: Ctx<User>, http: Exchange): Promise<void> {
  const { id, viewer, sessionId } = ctx.actor
  await stopViewing(ctx, sessionId)
  const own = viewer?.id ?? id
  await store.deleteSession(ctx.db, own, sessionId)
  await tellEnded(ctx, own, [sessionId], false)
  clearCookies(http)
}

export async function endSession(ctx: Ctx<User>, id: string): Promise<void> {
  await ctx.transaction(async (ctx) => {
    if (!(await store.deleteSession(ctx.db, ctx.actor.id, id))) throw notFound('session')
    await tellEnded(ctx, ctx.actor.id, [id])
  })
}

export async function endOtherSessions(ctx: Ctx<User>): Promise<{ ended: number }> {
  return ctx.transaction(async (ctx) => {
    const ended = await store.deleteOtherSessions(ctx.db, ctx.actor.id, ctx.actor.sessionId)
    await tellEnded(ctx, ctx.actor.id, ended)
    await ctx.emit('account.signed_out_elsewhere', { userId: ctx.actor.id })
    return { ended: ended.length }
  })
}
