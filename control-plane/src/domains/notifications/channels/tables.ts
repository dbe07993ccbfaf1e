import type {
  ChannelKind,
  ChannelStyle,
  Digest,
  DisabledReason,
  QuietHours,
} from '@lodge/shared/notification-channels.ts'
import type { AdminPermission } from '@lodge/shared/permissions.ts'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytea, moment } from '../../../db/columns.ts'
import { users } from '../../customers/tables.ts'
import type { Message } from './message.ts'

/** Where people are notified of events, besides their inbox. */
export const notificationChannels = pgTable(
  'notification_channels',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    kind: text('kind').$type<ChannelKind>().notNull(),
    /** Address, recipient and token as encrypted JSON: whoever has them can post there. */
    target: bytea('target').notNull(),
    events: text('events').array().notNull(),
    /** Null: all servers. */
    serverIds: uuid('server_ids').array(),
    style: text('style').$type<ChannelStyle>(),
    quiet: jsonb('quiet').$type<QuietHours>(),
    digest: jsonb('digest').$type<Digest>(),
    errorsAtOnce: boolean('errors_at_once').notNull().default(true),
    state: text('state', { enum: ['active', 'unverified', 'disabled'] })
      .notNull()
      .default('active'),
    disabledReason: text('disabled_reason').$type<DisabledReason>(),
    disabledAt: moment('disabled_at'),
    /** Signs the messages of a webhook; encrypted. */
    secret: bytea('secret'),
    formerSecret: bytea('former_secret'),
    formerSecretUntil: moment('former_secret_until'),
    /** For a browser: the session in which it was added, or that followed it there. */
    sessionId: uuid('session_id'),
    /** The link that verifies a mail address. */
    verifyHash: bytea('verify_hash'),
    verifyUntil: moment('verify_until'),
    failingSince: moment('failing_since'),
    lastDeliveredAt: moment('last_delivered_at'),
    /** Limits the rate: each message moves it on by a second. */
    pacedUntil: moment('paced_until').notNull().defaultNow(),
    /** Until then one instance is sending to it, or the receiver has asked us to wait. */
    leaseUntil: moment('lease_until'),
    leaseId: uuid('lease_id'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('notification_channels_user').on(table.userId),
    index('notification_channels_verify').on(table.verifyHash),
  ],
)

/** The key pair by which push services know this installation; browsers subscribe to its public key. */
export const webPushKeys = pgTable('web_push_keys', {
  /** There is one, `vapid`. */
  id: text('id').primaryKey(),
  /** As JWK, encrypted. */
  privateKey: bytea('private_key').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
})

/** A message to a channel, inserted in the transaction of the event it is about. */
export const notificationDeliveries = pgTable(
  'notification_deliveries',
  {
    id: uuid('id').primaryKey(),
    channelId: uuid('channel_id')
      .notNull()
      .references(() => notificationChannels.id, { onDelete: 'cascade' }),
    message: jsonb('message').$type<Message>().notNull(),
    /** Messages with the same key that come within a minute are sent as one. */
    burstKey: text('burst_key').notNull(),
    /** The server whose visibility is checked again when it is sent; it may be gone by then. */
    serverId: uuid('server_id'),
    /** The permission of staff that is checked again when it is sent. */
    needs: text('needs').$type<AdminPermission>(),
    /** Waits for the end of quiet hours or for the digest, and is then sent together with others. */
    held: boolean('held').notNull().default(false),
    /** `merged`: sent along with another delivery. `dropped`: the person may no longer see it. */
    state: text('state', { enum: ['queued', 'sent', 'failed', 'merged', 'dropped'] })
      .notNull()
      .default('queued'),
    mergedInto: uuid('merged_into'),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: moment('next_attempt_at').notNull().defaultNow(),
    status: integer('status'),
    answer: text('answer'),
    error: text('error'),
    createdAt: moment('created_at').notNull().defaultNow(),
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('notification_deliveries_due')
      .on(table.nextAttemptAt, table.channelId)
      .where(sql`${table.state} = 'queued'`),
    index('notification_deliveries_channel').on(table.channelId, table.id),
    index('notification_deliveries_burst').on(table.channelId, table.burstKey, table.createdAt),
    index('notification_deliveries_merged').on(table.mergedInto),
    index('notification_deliveries_created').on(table.createdAt),
  ],
)
