import { MOST_SUBSCRIBERS } from '@lodge/shared/status.ts'
import type { Language } from '@lodge/shared/words/languages.ts'
import { and, asc, eq, gt, isNotNull, lte, sql } from 'drizzle-orm'
import { defineCap } from '../../../db/cap.ts'
import type { Db } from '../../../db/database.ts'
import {
  type SubscriberRow,
  statusIncidents,
  statusMailings,
  statusRequests,
  statusSubscribers,
  statusUpdates,
} from '../tables.ts'

/** Counts requests as well, because it must not show whether a request adds an address. */
export const subscriberCap = defineCap({
  name: 'subscribers of the status page',
  most: MOST_SUBSCRIBERS,
  present: () => sql`select from ${statusSubscribers} union all select from ${statusRequests}`,
  refusal: 'The status page takes no further subscriptions at present: use its feed instead',
})

export async function insertRequest(
  db: Db,
  row: { readonly id: string; readonly address: string; readonly language: Language },
): Promise<void> {
  await db.insert(statusRequests).values(row)
}

/** Returns a row while there is a request. */
export const ANY_REQUEST = 'select from status_requests'

/** Takes the oldest requests. @returns their addresses, each once, with the language of its mail */
export async function takeRequests(
  db: Db,
  count: number,
): Promise<Pick<SubscriberRow, 'address' | 'language'>[]> {
  const oldest = sql`select id from status_requests order by id limit ${count} for update skip locked`
  const rows = await db
    .delete(statusRequests)
    .where(sql`${statusRequests.id} in (${oldest})`)
    .returning({ address: statusRequests.address, language: statusRequests.language })
  const once = new Map(rows.map((row) => [row.address, row]))
  return [...once.values()].sort((a, b) => (a.address < b.address ? -1 : 1))
}

/**
 * Gives an address a new link, unless it is confirmed or was mailed one less than an hour ago.
 * @returns whether to mail the link
 */
export async function ask(
  db: Db,
  row: Pick<SubscriberRow, 'id' | 'address' | 'language' | 'askedAt'> & {
    readonly confirmHash: Buffer
    readonly confirmUntil: Date
  },
): Promise<boolean> {
  const { confirmHash, confirmUntil, askedAt, language } = row
  const rows = await db
    .insert(statusSubscribers)
    .values(row)
    .onConflictDoUpdate({
      target: statusSubscribers.address,
      set: { confirmHash, confirmUntil, askedAt, language },
      setWhere: sql`${statusSubscribers.confirmedAt} is null
        and ${statusSubscribers.askedAt} < ${askedAt.toISOString()}::timestamptz - interval '1 hour'`,
    })
    .returning({ id: statusSubscribers.id })
  return rows.length > 0
}

/** Redeems a link. @returns whether there is such a link that has not expired */
export async function confirm(db: Db, hash: Buffer): Promise<boolean> {
  const rows = await db
    .update(statusSubscribers)
    .set({ confirmedAt: sql`now()`, confirmHash: null, confirmUntil: null })
    .where(
      and(eq(statusSubscribers.confirmHash, hash), gt(statusSubscribers.confirmUntil, sql`now()`)),
    )
    .returning({ id: statusSubscribers.id })
  return rows.length > 0
}

/** Deletes the whole row: nothing of the address is kept. */
export async function removeSubscriber(db: Db, id: string): Promise<void> {
  await db.delete(statusSubscribers).where(eq(statusSubscribers.id, id))
}

export async function deleteUnconfirmed(db: Db): Promise<number> {
  const rows = await db
    .delete(statusSubscribers)
    .where(lte(statusSubscribers.confirmUntil, sql`now()`))
    .returning({ id: statusSubscribers.id })
  return rows.length
}

export async function countSubscribers(
  db: Db,
): Promise<{ confirmed: number; unconfirmed: number }> {
  const { rows } = await db.execute<{ confirmed: number; unconfirmed: number }>(
    sql`select count(confirmed_at)::int as confirmed,
      (count(*) - count(confirmed_at))::int as unconfirmed from status_subscribers`,
  )
  return rows[0] ?? { confirmed: 0, unconfirmed: 0 }
}

export async function insertMailing(db: Db, updateId: string): Promise<void> {
  await db.insert(statusMailings).values({ updateId })
}

/** Returns a row while an update is being mailed. */
export const ANY_MAILING = 'select from status_mailings'

/** Locks the oldest update that is being mailed and that no other instance is working on. */
export async function lockMailing(db: Db) {
  const [row] = await db
    .select({
      updateId: statusMailings.updateId,
      after: statusMailings.after,
      since: statusMailings.createdAt,
      state: statusUpdates.state,
      body: statusUpdates.body,
      incidentId: statusIncidents.id,
      title: statusIncidents.title,
    })
    .from(statusMailings)
    .innerJoin(statusUpdates, eq(statusUpdates.id, statusMailings.updateId))
    .innerJoin(statusIncidents, eq(statusIncidents.id, statusUpdates.incidentId))
    .orderBy(asc(statusMailings.updateId))
    .limit(1)
    .for('update', { of: statusMailings, skipLocked: true })
  return row
}
type Mailing = NonNullable<Awaited<ReturnType<typeof lockMailing>>>

/** The next subscribers of a mailing, without those who subscribed after it began. */
export const nextSubscribers = (
  db: Db,
  { after, since }: Mailing,
  count: number,
): Promise<Pick<SubscriberRow, 'id' | 'address' | 'language'>[]> =>
  db
    .select({
      id: statusSubscribers.id,
      address: statusSubscribers.address,
      language: statusSubscribers.language,
    })
    .from(statusSubscribers)
    .where(
      and(
        isNotNull(statusSubscribers.confirmedAt),
        lte(statusSubscribers.confirmedAt, since),
        after === null ? undefined : gt(statusSubscribers.id, after),
      ),
    )
    .orderBy(asc(statusSubscribers.id))
    .limit(count)

export async function moveMailing(db: Db, updateId: string, after: string): Promise<void> {
  await db.update(statusMailings).set({ after }).where(eq(statusMailings.updateId, updateId))
}

export async function endMailing(db: Db, updateId: string): Promise<void> {
  await db.delete(statusMailings).where(eq(statusMailings.updateId, updateId))
}
