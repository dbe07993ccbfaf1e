import { type ChannelStyle, MAX_CHANNELS } from '@lodge/shared/notification-channels.ts'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { defineCap } from '../../../db/cap.ts'
import type { Db } from '../../../db/database.ts'
import { notificationChannels, webPushKeys } from './tables.ts'

export type ChannelRow = typeof notificationChannels.$inferSelect

export const channelCap = defineCap({
  name: 'notification channels of an account',
  most: MAX_CHANNELS,
  present: (userId) =>
    sql`select from ${notificationChannels} where ${eq(notificationChannels.userId, userId)}`,
  refusal: `An account has at most ${MAX_CHANNELS} notification channels: remove one first`,
})

export const listChannels = (db: Db, userId: string): Promise<ChannelRow[]> =>
  db
    .select()
    .from(notificationChannels)
    .where(eq(notificationChannels.userId, userId))
    .orderBy(asc(notificationChannels.id))

export async function findChannel(db: Db, id: string): Promise<ChannelRow | undefined> {
  const [row] = await db.select().from(notificationChannels).where(eq(notificationChannels.id, id))
  return row
}

/** The channel, locked until the transaction ends. */
export async function lockChannel(db: Db, id: string): Promise<ChannelRow | undefined> {
  const [row] = await db
    .select()
    .from(notificationChannels)
    .where(eq(notificationChannels.id, id))
    .for('no key update')
  return row
}

/** The channels that have chosen a style, locked until the transaction ends. */
export const channelsOfStyle = (db: Db, style: ChannelStyle): Promise<ChannelRow[]> =>
  db
    .select()
    .from(notificationChannels)
    .where(eq(notificationChannels.style, style))
    .orderBy(asc(notificationChannels.id))
    .for('no key update')

export async function insertChannel(
  db: Db,
  row: typeof notificationChannels.$inferInsert,
): Promise<ChannelRow> {
  const [made] = await db.insert(notificationChannels).values(row).returning()
  if (!made) throw new Error('the channel was not inserted')
  return made
}

export async function updateChannel(
  db: Db,
  id: string,
  change: Partial<ChannelRow>,
): Promise<ChannelRow | undefined> {
  if (Object.keys(change).length === 0) return findChannel(db, id)
  const [row] = await db
    .update(notificationChannels)
    .set(change)
    .where(eq(notificationChannels.id, id))
    .returning()
  return row
}

export async function deleteChannel(db: Db, id: string): Promise<void> {
  await db.delete(notificationChannels).where(eq(notificationChannels.id, id))
}

/** Of two uses of a link only one finds it. */
export async function takeVerification(db: Db, hash: Buffer): Promise<ChannelRow | undefined> {
  const [row] = await db
    .update(notificationChannels)
    .set({ state: 'active', verifyHash: null, verifyUntil: null })
    .where(
      and(
        eq(notificationChannels.verifyHash, hash),
        eq(notificationChannels.state, 'unverified'),
        gt(notificationChannels.verifyUntil, sql`now()`),
      ),
    )
    .returning()
  return row
}

/** A channel that accepts messages, with the time zone of its owner. */
export interface Subscriber {
  readonly id: string
  readonly userId: string
  readonly quiet: ChannelRow['quiet']
  readonly digest: ChannelRow['digest']
  readonly errorsAtOnce: boolean
  readonly timeZone: string | null
}

/** Channels of these people that subscribe to a type, for a server or none. */
export async function subscribersOf(
  db: Db,
  userIds: readonly string[],
  type: string,
  serverId: string | null,
): Promise<Subscriber[]> {
  const { rows } = await db.execute<{ [K in keyof Subscriber]: Subscriber[K] }>(sql`
    select c.id, c.user_id as "userId", c.quiet, c.digest, c.errors_at_once as "errorsAtOnce",
      u.time_zone as "timeZone"
    from notification_channels c join users u on u.id = c.user_id
    where c.user_id = any(${sql.param([...userIds])}::uuid[]) and c.state = 'active'
      and c.events @> array[${type}]
      and (c.server_ids is null or ${serverId}::uuid is null or ${serverId}::uuid = any(c.server_ids))
    order by c.id`)
  return rows
}

export async function findPushKey(db: Db, id: string): Promise<Buffer | undefined> {
  const [row] = await db.select().from(webPushKeys).where(eq(webPushKeys.id, id))
  return row?.privateKey
}

/** Of two instances that insert at once the first wins. */
export async function insertPushKey(db: Db, id: string, privateKey: Buffer): Promise<void> {
  await db.insert(webPushKeys).values({ id, privateKey }).onConflictDoNothing()
}
