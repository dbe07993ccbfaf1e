import { and, desc, eq, lt, ne, or, sql } from 'drizzle-orm'
import type { Position } from '../../../db/cursor.ts'
import type { Db } from '../../../db/database.ts'
import type { ChannelRow } from './store.ts'
import { notificationChannels, notificationDeliveries } from './tables.ts'

export type DeliveryRow = typeof notificationDeliveries.$inferSelect
type NewDelivery = Pick<
  DeliveryRow,
  'id' | 'channelId' | 'message' | 'burstKey' | 'serverId' | 'needs'
> & { readonly heldUntil: Date | undefined }

/** A message similar to one that was just sent waits this long and is sent together with others. */
const BURST_SECONDS = 60
/** Messages to one channel: a burst of this many, then one each second. */
const RATE_PER_MINUTE = 60
/** Longer than an attempt can take; then another instance takes over. */
const LEASE_SECONDS = 60

/** Queues a message: for now, after a burst of similar ones, or when the channel's pause ends. */
export async function insertDelivery(db: Db, row: NewDelivery): Promise<void> {
  const { heldUntil, ...rest } = row
  const afterBurst = sql`coalesce((
    select max(coalesce(d.ended_at, d.created_at)) + make_interval(secs => ${BURST_SECONDS})
    from notification_deliveries d
    where d.channel_id = ${row.channelId}::uuid and d.burst_key = ${row.burstKey}
      and d.state in ('queued', 'sent') and d.attempts > 0
      and coalesce(d.ended_at, d.created_at) > now() - make_interval(secs => ${BURST_SECONDS})
  ), now())`
  await db.insert(notificationDeliveries).values({
    ...rest,
    held: heldUntil !== undefined,
    nextAttemptAt: heldUntil ?? afterBurst,
  })
}

const CLAIMABLE = `c.state = 'active' and (c.lease_until is null or c.lease_until < now())
  and c.paced_until <= now() + interval '${RATE_PER_MINUTE - 1} seconds'`
const DUE = `d.state = 'queued' and d.next_attempt_at <= now()`
/** Returns a row while a channel has something to send. */
export const DUE_DELIVERY = `select from notification_deliveries d
  join notification_channels c on c.id = d.channel_id where ${DUE} and ${CLAIMABLE}`

/**
 * Claims channels with due messages for this instance. A channel is claimed as a whole, so that one
 * slow receiver delays no other and messages arrive in order.
 */
export const claimChannels = (db: Db, count: number, leaseId: string): Promise<ChannelRow[]> =>
  db
    .update(notificationChannels)
    .set({
      leaseUntil: sql`now() + make_interval(secs => ${LEASE_SECONDS})`,
      leaseId,
      pacedUntil: sql`greatest(${notificationChannels.pacedUntil}, now()) + make_interval(secs => ${60 / RATE_PER_MINUTE})`,
    })
    .where(
      sql`${notificationChannels.id} in (
        select c.id from notification_channels c where ${sql.raw(CLAIMABLE)} and exists (
          select from notification_deliveries d where d.channel_id = c.id and ${sql.raw(DUE)})
        limit ${count} for update skip locked)`,
    )
    .returning()

/** Ends a claim, unless another instance has taken the channel over. */
export async function releaseChannel(
  db: Db,
  { id, leaseId }: Pick<ChannelRow, 'id' | 'leaseId'>,
  pauseUntil: Date | null = null,
): Promise<void> {
  await db
    .update(notificationChannels)
    .set({ leaseUntil: pauseUntil, leaseId: null })
    .where(
      and(eq(notificationChannels.id, id), sql`${notificationChannels.leaseId} = ${leaseId}::uuid`),
    )
}

/** The oldest due message of a channel, with all that are sent along with it, the oldest first. */
export async function nextParcel(db: Db, channelId: string): Promise<DeliveryRow[]> {
  const due = and(
    eq(notificationDeliveries.channelId, channelId),
    eq(notificationDeliveries.state, 'queued'),
    sql`${notificationDeliveries.nextAttemptAt} <= now()`,
  )
  const [first] = await db
    .select()
    .from(notificationDeliveries)
    .where(due)
    .orderBy(notificationDeliveries.nextAttemptAt, notificationDeliveries.id)
    .limit(1)
    .for('update')
  if (!first) return []
  const fresh = and(
    eq(notificationDeliveries.state, 'queued'),
    eq(notificationDeliveries.attempts, 0),
    first.held
      ? and(notificationDeliveries.held, due)
      : and(
          eq(notificationDeliveries.burstKey, first.burstKey),
          sql`not ${notificationDeliveries.held}`,
        ),
  )
  // A repeated attempt contains what the first one did, and nothing more.
  const merged = eq(notificationDeliveries.mergedInto, first.id)
  const together = first.attempts > 0 ? merged : or(merged, fresh)
  const others = await db
    .select()
    .from(notificationDeliveries)
    .where(
      and(
        eq(notificationDeliveries.channelId, channelId),
        ne(notificationDeliveries.id, first.id),
        together,
      ),
    )
    .orderBy(notificationDeliveries.id)
  return [first, ...others]
}

/** Marks messages as sent along with another delivery. */
export async function mergeInto(db: Db, id: string, others: readonly string[]): Promise<void> {
  if (others.length === 0) return
  await db.execute(sql`
    update notification_deliveries set state = 'merged', merged_into = ${id}::uuid, ended_at = now()
    where id = any(${sql.param([...others])}::uuid[]) and state = 'queued'`)
}

/** Makes one of the messages that were merged into a delivery the one that stands for them. */
export async function inherit(db: Db, from: string, heir: string): Promise<void> {
  await db.execute(sql`
    update notification_deliveries
    set state = case when id = ${heir}::uuid then 'queued' else state end,
      merged_into = case when id = ${heir}::uuid then null else ${heir}::uuid end,
      ended_at = case when id = ${heir}::uuid then null else ended_at end
    where merged_into = ${from}::uuid and state = 'merged'`)
}

/** Marks messages that the person may no longer see. */
export async function drop(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.execute(sql`
    update notification_deliveries set state = 'dropped', ended_at = now(), message = message - 'body'
    where id = any(${sql.param([...ids])}::uuid[])`)
}

export async function updateDelivery(
  db: Db,
  id: string,
  change: Partial<DeliveryRow>,
): Promise<void> {
  await db.update(notificationDeliveries).set(change).where(eq(notificationDeliveries.id, id))
}

/** Records the result of an attempt, unless another instance has made one since. */
export async function endAttempt(
  db: Db,
  { id, attempts }: Pick<DeliveryRow, 'id' | 'attempts'>,
  change: Partial<DeliveryRow>,
): Promise<boolean> {
  const rows = await db
    .update(notificationDeliveries)
    .set(change)
    .where(
      and(
        eq(notificationDeliveries.id, id),
        eq(notificationDeliveries.attempts, attempts),
        eq(notificationDeliveries.state, 'queued'),
      ),
    )
    .returning({ id: notificationDeliveries.id })
  return rows.length > 0
}

/** Fails what is queued: nothing more is sent to a disabled channel. */
export async function failQueued(db: Db, channelId: string, error: string): Promise<void> {
  await db
    .update(notificationDeliveries)
    .set({ state: 'failed', error, endedAt: sql`now()` })
    .where(
      and(
        eq(notificationDeliveries.channelId, channelId),
        eq(notificationDeliveries.state, 'queued'),
      ),
    )
}

/**
 * The log of a channel, newest first, without messages sent along with others; one row more tells
 * whether there are more.
 */
export async function listDeliveries(
  db: Db,
  channelId: string,
  given: { readonly after: Position | undefined; readonly limit: number },
): Promise<(DeliveryRow & { readonly count: number })[]> {
  const merged = sql<number>`(select count(*)::int from notification_deliveries m
    where m.merged_into = notification_deliveries.id)`
  const rows = await db
    .select({ row: notificationDeliveries, merged })
    .from(notificationDeliveries)
    .where(
      and(
        eq(notificationDeliveries.channelId, channelId),
        ne(notificationDeliveries.state, 'merged'),
        given.after && lt(notificationDeliveries.id, sql`${given.after[1]}::uuid`),
      ),
    )
    .orderBy(desc(notificationDeliveries.id))
    .limit(given.limit + 1)
  return rows.map(({ row, merged: more }) => ({ ...row, count: more + 1 }))
}

/** Only a message that was sent or failed can be sent again. */
export async function requeueDelivery(
  db: Db,
  channelId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await db
    .update(notificationDeliveries)
    .set({ state: 'queued', attempts: 0, nextAttemptAt: sql`now()`, endedAt: null, error: null })
    .where(
      and(
        eq(notificationDeliveries.id, id),
        eq(notificationDeliveries.channelId, channelId),
        sql`${notificationDeliveries.state} in ('sent', 'failed')`,
      ),
    )
    .returning()
  return row
}

export async function findDelivery(db: Db, id: string): Promise<DeliveryRow | undefined> {
  const [row] = await db
    .select()
    .from(notificationDeliveries)
    .where(eq(notificationDeliveries.id, id))
  return row
}

/** The log goes back 30 days. */
export async function deleteOldDeliveries(db: Db): Promise<number> {
  const rows = await db
    .delete(notificationDeliveries)
    .where(sql`${notificationDeliveries.createdAt} < now() - interval '30 days'`)
    .returning({ id: notificationDeliveries.id })
  return rows.length
}
