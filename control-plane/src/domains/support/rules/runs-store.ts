import { desc, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { supportTickets } from '../tickets/tables.ts'
import { supportRuleRuns } from './tables.ts'

/** How many runs the page of a rule shows. */
const SHOWN = 50

export async function insertRun(db: Db, row: typeof supportRuleRuns.$inferInsert): Promise<void> {
  await db.insert(supportRuleRuns).values(row)
}

/** A rule's runs, the newest first. */
export const listRuns = (db: Db, ruleId: string) =>
  db
    .select({
      id: supportRuleRuns.id,
      at: supportRuleRuns.at,
      does: supportRuleRuns.does,
      ticket: {
        id: supportTickets.id,
        number: supportTickets.number,
        subject: supportTickets.subject,
      },
    })
    .from(supportRuleRuns)
    .innerJoin(supportTickets, eq(supportTickets.id, supportRuleRuns.ticketId))
    .where(eq(supportRuleRuns.ruleId, ruleId))
    .orderBy(desc(supportRuleRuns.at), desc(supportRuleRuns.id))
    .limit(SHOWN)

/** @returns how many were deleted */
export async function deleteOldRuns(db: Db, days: number): Promise<number> {
  const { rowCount } = await db
    .delete(supportRuleRuns)
    .where(lt(supportRuleRuns.at, sql`now() - ${days} * interval '1 day'`))
  return rowCount ?? 0
}
