import { and, asc, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { supportMessages } from '../tickets/tables.ts'
import { type ReportLinkRow, supportReportLinks } from './tables.ts'

export async function insertLink(
  db: Db,
  row: typeof supportReportLinks.$inferInsert,
): Promise<void> {
  await db.insert(supportReportLinks).values(row)
}

const valid = (tokenHash: Buffer, now: Date) =>
  and(eq(supportReportLinks.tokenHash, tokenHash), gt(supportReportLinks.expiresAt, now))

export async function findLink(
  db: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<ReportLinkRow | undefined> {
  const [row] = await db.select().from(supportReportLinks).where(valid(tokenHash, now))
  return row
}

/** Locks a link until the transaction ends, to serialize additions. */
export async function lockLink(
  db: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<ReportLinkRow | undefined> {
  const [row] = await db
    .select()
    .from(supportReportLinks)
    .where(valid(tokenHash, now))
    .for('no key update')
  return row
}

export async function noteAddition(
  db: Db,
  { id, additions }: ReportLinkRow,
  laterTicketId: string | null,
): Promise<void> {
  await db
    .update(supportReportLinks)
    .set({ additions: additions + 1, laterTicketId })
    .where(eq(supportReportLinks.id, id))
}

/** The agents' public replies in these tickets. */
export async function listAnswers(
  db: Db,
  ticketIds: readonly string[],
): Promise<{ at: Date; body: string }[]> {
  const { ticketId, kind, authorKind, held, createdAt, id, body } = supportMessages
  return db
    .select({ at: createdAt, body })
    .from(supportMessages)
    .where(
      and(
        inArray(ticketId, [...ticketIds]),
        ...[eq(kind, 'reply'), eq(authorKind, 'agent'), eq(held, false)],
      ),
    )
    .orderBy(asc(createdAt), asc(id))
}

export async function deleteOldLinks(db: Db): Promise<number> {
  const { rowCount } = await db
    .delete(supportReportLinks)
    .where(lt(supportReportLinks.expiresAt, sql`now()`))
  return rowCount ?? 0
}
