import { and, desc, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Position } from '../../db/cursor.ts'
import type { Db } from '../../db/database.ts'
import { users } from '../customers/tables.ts'
import { signupInvites, signupRequests, signups } from './tables.ts'

export type InviteRow = typeof signupInvites.$inferSelect
export type RequestRow = typeof signupRequests.$inferSelect
export type SignupRow = typeof signups.$inferSelect

/** A page of invitations, newest first, plus one row that tells whether there are more. */
export const listInvites = (
  db: Db,
  { limit, after }: { limit: number; after: Position | undefined },
): Promise<InviteRow[]> =>
  db
    .select()
    .from(signupInvites)
    .where(after && lt(signupInvites.id, after[1]))
    .orderBy(desc(signupInvites.id))
    .limit(limit + 1)

export async function findInvite(db: Db, id: string): Promise<InviteRow | undefined> {
  const [row] = await db.select().from(signupInvites).where(eq(signupInvites.id, id))
  return row
}

export async function insertInvite(
  db: Db,
  row: typeof signupInvites.$inferInsert,
): Promise<InviteRow> {
  const [inserted] = await db.insert(signupInvites).values(row).returning()
  return inserted as InviteRow
}

export async function deleteInvite(db: Db, id: string): Promise<void> {
  await db.delete(signupInvites).where(eq(signupInvites.id, id))
}

/** Takes one use of a code if it has one left and permits this address. */
export async function takeInvite(
  db: Db,
  codeHash: Buffer,
  email: string,
): Promise<InviteRow | undefined> {
  const [row] = await db
    .update(signupInvites)
    .set({ uses: sql`${signupInvites.uses} + 1` })
    .where(
      and(
        eq(signupInvites.codeHash, codeHash),
        // Part of the update, so concurrent sign-ups cannot exceed the uses.
        lt(signupInvites.uses, signupInvites.maxUses),
        or(isNull(signupInvites.expiresAt), gt(signupInvites.expiresAt, sql`now()`)),
        or(isNull(signupInvites.email), eq(signupInvites.email, email)),
      ),
    )
    .returning()
  return row
}

export async function giveBackInvite(db: Db, id: string): Promise<void> {
  await db
    .update(signupInvites)
    .set({ uses: sql`greatest(${signupInvites.uses} - 1, 0)` })
    .where(eq(signupInvites.id, id))
}

export async function insertRequest(
  db: Db,
  row: typeof signupRequests.$inferInsert,
): Promise<void> {
  await db.insert(signupRequests).values(row)
}

/** Has a row while there is a request. */
export const ANY_REQUEST = 'select from signup_requests'

export async function takeRequests(db: Db, count: number): Promise<RequestRow[]> {
  const oldest = sql`select id from signup_requests order by id limit ${count} for update skip locked`
  const rows = await db
    .delete(signupRequests)
    .where(sql`${signupRequests.id} in (${oldest})`)
    .returning()
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1))
}

export async function insertSignup(db: Db, row: typeof signups.$inferInsert): Promise<void> {
  await db.insert(signups).values(row)
}

/** The invitation of a repeated sign-up. */
export async function setInvite(
  db: Db,
  userId: string,
  invite: Pick<InviteRow, 'id' | 'planId'>,
): Promise<void> {
  const change = { inviteId: invite.id, planId: invite.planId }
  await db
    .insert(signups)
    .values({ userId, ...change })
    .onConflictDoUpdate({ target: signups.userId, set: change })
}

export async function findSignup(db: Db, userId: string): Promise<SignupRow | undefined> {
  const [row] = await db.select().from(signups).where(eq(signups.userId, userId))
  return row
}

export async function setApproved(db: Db, userId: string): Promise<void> {
  await db.update(signups).set({ approvedAt: sql`now()` }).where(eq(signups.userId, userId))
}

/** States of accounts that wait for confirmation or approval. */
export const WAITING = ['unverified', 'pending'] as const

/** Removes an account that was never approved. */
export async function deleteWaiting(db: Db, userId: string): Promise<boolean> {
  const rows = await db
    .delete(users)
    .where(and(eq(users.id, userId), inArray(users.state, [...WAITING])))
    .returning({ id: users.id })
  return rows.length > 0
}

/** Changes the state of an account if it still has the expected one. */
export async function moveState(
  db: Db,
  userId: string,
  from: 'unverified' | 'pending',
  to: 'pending' | 'active',
): Promise<boolean> {
  const rows = await db
    .update(users)
    .set({ state: to })
    .where(and(eq(users.id, userId), eq(users.state, from)))
    .returning({ id: users.id })
  return rows.length > 0
}

/** Unconfirmed addresses are released after two weeks, and their invitation codes can be used again. */
export async function deleteUnconfirmed(db: Db): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(sql`
    with gone as materialized (
      select u.id, s.invite_id from users u left join signups s on s.user_id = u.id
      where u.state = 'unverified' and u.created_at < now() - interval '14 days'
      for update of u skip locked),
    given_back as (
      update signup_invites set uses = greatest(uses - used.count, 0)
      from (select invite_id, count(*) from gone where invite_id is not null group by invite_id) used
      where signup_invites.id = used.invite_id)
    delete from users using gone where users.id = gone.id returning users.id`)
  return rows.length
}
