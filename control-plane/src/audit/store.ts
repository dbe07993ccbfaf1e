import {
  type AnyColumn,
  and,
  asc,
  desc,
  eq,
  gte,
  inArray,
  isNull,
  lt,
  lte,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { tryLock } from '../db/advisory-locks.ts'
import { type Db, later } from '../db/database.ts'
import { auditAnchor, auditLog, auditSeals } from './tables.ts'
import type { ActionCatalogue } from './words.ts'

export type AuditRow = typeof auditLog.$inferSelect
export type SealRow = typeof auditSeals.$inferSelect

type NewRow = Omit<AuditRow, 'seq' | 'seal'>
const INSERT = `insert into audit_log (id, at, actor_kind, actor_id, actor_email, token_id, address,
    action, target_id, server_id, request_id, detail, row_hash)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`

/** Deferred until the commit of the change it records: no caller needs the result earlier. */
export const insertAudit = (db: Db, row: NewRow): Promise<void> =>
  later(db, {
    text: INSERT,
    values: [
      row.id,
      row.at,
      row.actorKind,
      row.actorId,
      row.actorEmail,
      row.tokenId,
      row.address,
      row.action,
      row.targetId,
      row.serverId,
      row.requestId,
      row.detail,
      row.rowHash,
    ],
  })

export interface AuditFilter {
  readonly actorId?: string | undefined
  readonly targetId?: string | undefined
  readonly serverId?: string | undefined
  readonly personId?: string | undefined
  readonly address?: string | undefined
  readonly action?: string | undefined
  readonly q?: string | undefined
  readonly only?: 'changes' | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

/** Newest first. */
export const listAudit = (
  db: Db,
  catalogue: ActionCatalogue,
  filter: AuditFilter,
  beforeSeq: number | undefined,
  limit: number,
): Promise<AuditRow[]> =>
  db
    .select()
    .from(auditLog)
    .where(
      and(
        filter.actorId === undefined ? undefined : eq(auditLog.actorId, filter.actorId),
        filter.targetId === undefined ? undefined : eq(auditLog.targetId, filter.targetId),
        filter.serverId === undefined ? undefined : eq(auditLog.serverId, filter.serverId),
        filter.personId === undefined
          ? undefined
          : or(eq(auditLog.actorId, filter.personId), eq(auditLog.targetId, filter.personId)),
        filter.address ? eq(auditLog.address, filter.address) : undefined,
        filter.action === undefined
          ? undefined
          : sql`position(lower(${filter.action}) in lower(${auditLog.action})) > 0`,
        filter.q ? saying(catalogue, filter.q.toLowerCase()) : undefined,
        filter.only && notInArray(auditLog.action, catalogue.looks),
        filter.from && gte(auditLog.at, filter.from),
        filter.to && lte(auditLog.at, filter.to),
        beforeSeq === undefined ? undefined : lt(auditLog.seq, beforeSeq),
      ),
    )
    .orderBy(desc(auditLog.seq))
    .limit(limit)

/** Entries whose wording, name or address contains this text. */
function saying(catalogue: ActionCatalogue, text: string): SQL | undefined {
  const { actions, fields } = catalogue.saying(text)
  const contains = (column: AnyColumn) => sql`position(${text} in lower(${column})) > 0`
  return or(
    contains(auditLog.detail),
    contains(auditLog.actorEmail),
    contains(auditLog.address),
    actions.length > 0 ? inArray(auditLog.action, actions) : undefined,
    ...fields.map(
      ({ name, value }) => sql`position(${`"${name}":"${value}"`} in ${auditLog.detail}) > 0`,
    ),
  )
}

/** Only one instance seals at a time; the others skip the round. */
export const lockSealing = (db: Db): Promise<boolean> => tryLock(db, 'auditSeal')

/** Has a row while any entry is unsealed. */
export const ANY_UNSEALED = 'select from audit_log where seal is null'

export const unsealedRows = (db: Db, limit: number): Promise<AuditRow[]> =>
  db.select().from(auditLog).where(isNull(auditLog.seal)).orderBy(asc(auditLog.seq)).limit(limit)

export async function lastSeal(db: Db): Promise<SealRow | undefined> {
  const [row] = await db.select().from(auditSeals).orderBy(desc(auditSeals.number)).limit(1)
  return row
}

export async function insertSeal(db: Db, row: typeof auditSeals.$inferInsert): Promise<void> {
  await db.insert(auditSeals).values(row)
  await db
    .update(auditLog)
    .set({ seal: row.number })
    .where(inArray(auditLog.seq, [...row.seqs]))
}

export const sealsFrom = (db: Db, after: number, limit: number): Promise<SealRow[]> =>
  db
    .select()
    .from(auditSeals)
    .where(sql`${auditSeals.number} > ${after}`)
    .orderBy(asc(auditSeals.number))
    .limit(limit)

export const rowsOfSeals = (db: Db, first: number, last: number): Promise<AuditRow[]> =>
  db
    .select()
    .from(auditLog)
    .where(and(gte(auditLog.seal, first), lte(auditLog.seal, last)))
    .orderBy(asc(auditLog.seq))

export async function countUnsealed(db: Db): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from audit_log where seal is null`,
  )
  return rows[0]?.count ?? 0
}

/** Numbers of seals that entries refer to but that do not exist. */
export async function orphanedSeqs(db: Db): Promise<number[]> {
  const { rows } = await db.execute<{ seq: number }>(
    sql`select seq from audit_log l where seal is not null
        and not exists (select 1 from audit_seals s where s.number = l.seal) order by seq limit 100`,
  )
  return rows.map((row) => row.seq)
}

export type AnchorRow = typeof auditAnchor.$inferSelect

export async function findAnchor(db: Db): Promise<AnchorRow | undefined> {
  const [row] = await db.select().from(auditAnchor)
  return row
}

/** The oldest seals from before `until`, up to the first gap. */
export const oldestSeals = (db: Db, until: Date, limit: number): Promise<SealRow[]> =>
  db
    .select()
    .from(auditSeals)
    .where(
      and(
        lt(auditSeals.sealedAt, until),
        sql`not exists (select 1 from audit_seals s
          where s.number < ${auditSeals.number} and s.sealed_at >= ${until.toISOString()}::timestamptz)`,
      ),
    )
    .orderBy(asc(auditSeals.number))
    .limit(limit)

/**
 * Deletes seals up to `last` with their entries, and records where the chain now begins. A function
 * owned by the owner of the tables does it and refuses seals that are too young, so a compromised
 * application role cannot erase recent history.
 */
export async function forgetThrough(db: Db, last: number, proof: Buffer): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`select forget_audit_records(${last}, ${proof}) as count`,
  )
  return rows[0]?.count ?? 0
}
