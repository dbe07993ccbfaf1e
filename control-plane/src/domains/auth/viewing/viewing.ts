import { randomUUIDv7 } from 'node:crypto'
import type { SupportView, Viewing } from '@lodge/shared/accounts.ts'
import type { Restriction } from '@lodge/shared/restriction.ts'
import { VIEWING_MINUTES } from '@lodge/shared/viewing.ts'
import type { Actor, User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { Problem } from '../../../problem.ts'
import type { UserRow } from '../../customers/index.ts'
import { VIEWABLE_STATES } from './standing-store.ts'
import * as store from './store.ts'

/** The actor of a session that views as a customer: the customer, with the administrator as `viewer`. */
export const asCustomer = (
  admin: User,
  viewing: {
    id: string
    until: Date
    customerId: string
    email: string
    suspended: Restriction | undefined
  },
): User => ({
  kind: 'user',
  id: viewing.customerId,
  email: viewing.email,
  address: admin.address,
  sessionId: admin.sessionId,
  role: 'customer',
  superAdmin: false,
  permissions: new Set(),
  provedAt: null,
  suspended: viewing.suspended,
  viewer: { id: admin.id, email: admin.email, viewingId: viewing.id, until: viewing.until },
})

const viewingAs = (viewer: string, until: Date): Viewing => ({
  viewer,
  until: until.toISOString(),
})

/** Who views as the caller, if anyone. */
export const viewingOf = (actor: Actor): Viewing | null =>
  actor.kind === 'user' && actor.viewer ? viewingAs(actor.viewer.email, actor.viewer.until) : null

/** Starts viewing as a customer in the caller's session. */
export async function beginViewing(ctx: Ctx<User>, customer: UserRow): Promise<Viewing> {
  const { email, state } = customer
  if (!VIEWABLE_STATES.includes(state))
    throw new Problem(
      'invalid_state',
      `The account ${email} is not open yet: there is nothing to view`,
    )
  return ctx.transaction(async (ctx) => {
    const { id: viewerId, email: viewerEmail, sessionId } = ctx.actor
    if (!(await store.lockSession(ctx.db, sessionId)))
      throw new Problem('authentication_required', 'Sign in to do this')
    // If two requests start one concurrently, the later one wins.
    await stopViewing(ctx, sessionId)
    const expiresAt = new Date(ctx.now.getTime() + VIEWING_MINUTES * 60_000)
    await store.insertViewing(ctx.db, {
      id: randomUUIDv7(),
      sessionId,
      viewerId,
      viewerEmail,
      customerId: customer.id,
      expiresAt,
    })
    // Closes streams and consoles opened as the administrator; streams reconnect as the customer.
    await ctx.live.announce(ctx.db, { kind: 'session', id: sessionId })
    return viewingAs(viewerEmail, expiresAt)
  })
}

/** Ends the viewing of a session, if there is one. */
export async function stopViewing(ctx: Ctx, sessionId: string): Promise<void> {
  await ctx.transaction(async (ctx) =>
    end(ctx, await store.lockViewingOfSession(ctx.db, sessionId), 'stopped'),
  )
}

/** Ends all viewings of an account that is about to be deleted. */
export async function endViewingsOf(ctx: Ctx, customerId: string): Promise<void> {
  await end(ctx, await store.lockViewingsOf(ctx.db, customerId), 'the account was removed')
}

/** Ends viewings that are no longer valid. @returns how many */
export async function endViewingsOver(ctx: Ctx): Promise<number> {
  return ctx.transaction(async (ctx) => {
    const rows = await store.lockViewingsOver(ctx.db)
    const isTimedOut = ({ expiresAt }: store.OpenViewing) => expiresAt <= ctx.now
    await end(ctx, rows.filter(isTimedOut), `${VIEWING_MINUTES} minutes were over`)
    await end(
      ctx,
      rows.filter((row) => !isTimedOut(row)),
      'the session, the permission or the customer’s access ended',
    )
    return rows.length
  })
}

async function end(ctx: Ctx, rows: readonly store.OpenViewing[], why: string): Promise<void> {
  if (rows.length === 0) return
  await store.markEnded(
    ctx.db,
    rows.map(({ id }) => id),
  )
  const address = ctx.actor.kind === 'user' ? ctx.actor.address : null
  for (const { viewerId: id, viewerEmail: email, ...row } of rows) {
    await ctx.emit('account.viewing_ended', {
      viewer: { id, email },
      address: why === 'stopped' ? address : null,
      userId: row.customerId,
      name: row.customer,
      why,
    })
    if (row.sessionId !== null)
      await ctx.live.announce(ctx.db, { kind: 'session', id: row.sessionId })
  }
}

/** When support viewed the caller's account, newest first. */
export async function viewsOf(ctx: Ctx<User>): Promise<SupportView[]> {
  const rows = await store.listViewings(ctx.db, ctx.actor.id)
  return rows.map(({ id, startedAt, endedAt }) => ({
    id,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  }))
}
