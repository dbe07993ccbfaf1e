import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytea, counter, moment } from '../db/columns.ts'

/** Who changed what. Append-only; each entry is hashed, and sealed within a second. */
export const auditLog = pgTable(
  'audit_log',
  {
    seq: counter('seq').primaryKey().generatedAlwaysAsIdentity(),
    id: uuid('id').notNull(),
    at: moment('at').notNull(),
    actorKind: text('actor_kind', { enum: ['user', 'token', 'plugin', 'system'] }).notNull(),
    actorId: uuid('actor_id'),
    actorEmail: text('actor_email'),
    tokenId: uuid('token_id'),
    address: text('address'),
    /** The endpoint, e.g. `PATCH /api/customers/{id}`, or an action such as `signed in`. */
    action: text('action').notNull(),
    targetId: uuid('target_id'),
    serverId: uuid('server_id'),
    requestId: text('request_id'),
    /** The request's safe fields as JSON; stored as text because the exact bytes are hashed. */
    detail: text('detail').notNull(),
    rowHash: bytea('row_hash').notNull(),
    /** Number of the seal that covers this entry. */
    seal: counter('seal'),
  },
  (table) => [
    uniqueIndex('audit_log_id').on(table.id),
    index('audit_log_unsealed').on(table.seq).where(sql`${table.seal} is null`),
    index('audit_log_seal').on(table.seal),
    index('audit_log_actor').on(table.actorId, table.seq),
    index('audit_log_target').on(table.targetId, table.seq),
    index('audit_log_server').on(table.serverId, table.seq),
  ],
)

/**
 * Seals over batches of entries. Each is chained to the previous one and signed with a key that is
 * not in the database.
 */
export const auditSeals = pgTable('audit_seals', {
  number: counter('number').primaryKey(),
  seqs: counter('seqs').array().notNull(),
  /** Hashes of the entries, 32 bytes each, in the order of `seqs`. */
  rowHashes: bytea('row_hashes').notNull(),
  count: integer('count').notNull(),
  signature: bytea('signature').notNull(),
  sealedAt: moment('sealed_at').notNull().defaultNow(),
})

/** Where the chain begins after retention: the last deleted seal, signed. */
export const auditAnchor = pgTable('audit_anchor', {
  one: boolean('one').primaryKey().default(true),
  number: counter('number').notNull(),
  signature: bytea('signature').notNull(),
  proof: bytea('proof').notNull(),
  at: moment('at').notNull().defaultNow(),
})
