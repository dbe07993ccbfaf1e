import type { WriteRule } from '@lodge/shared/support/rules/rule.ts'
import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { type RuleRow, supportRuleRuns, supportRules } from './tables.ts'

/** A rule with the time of its last run. */
export type RanRule = RuleRow & { readonly lastRanAt: Date | null }

const ran = {
  ...getTableColumns(supportRules),
  lastRanAt: sql<Date | null>`(select max(run.at) from ${supportRuleRuns} run
    where run.rule_id = support_rules.id)`.mapWith(supportRuleRuns.at),
}

/** In the order in which they run. */
export const listRules = (db: Db): Promise<RanRule[]> =>
  db.select(ran).from(supportRules).orderBy(asc(supportRules.position), asc(supportRules.id))

/** The rules for an event, in order. */
export const rulesFor = (db: Db, event: WriteRule['on']): Promise<RuleRow[]> =>
  db
    .select()
    .from(supportRules)
    .where(and(eq(supportRules.on, event), supportRules.enabled))
    .orderBy(asc(supportRules.position), asc(supportRules.id))

export async function findRule(db: Db, id: string): Promise<RanRule | undefined> {
  const [row] = await db.select(ran).from(supportRules).where(eq(supportRules.id, id))
  return row
}

export async function insertRule(db: Db, row: typeof supportRules.$inferInsert): Promise<RuleRow> {
  const [inserted] = await db.insert(supportRules).values(row).returning()
  return inserted as RuleRow
}

export async function updateRule(
  db: Db,
  id: string,
  change: Partial<Omit<RuleRow, 'id'>>,
): Promise<void> {
  await db.update(supportRules).set(change).where(eq(supportRules.id, id))
}

export async function deleteRule(db: Db, id: string): Promise<void> {
  await db.delete(supportRules).where(eq(supportRules.id, id))
}

/** Gives each rule its position in this list. */
export async function placeRules(db: Db, ids: readonly string[]): Promise<void> {
  await db.execute(sql`
    update ${supportRules} set position = place.at - 1
    from unnest(${`{${ids.join(',')}}`}::uuid[]) with ordinality as place(id, at)
    where ${supportRules.id} = place.id and ${supportRules.position} <> place.at - 1`)
}
