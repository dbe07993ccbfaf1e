import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Position } from '../../../db/cursor.ts'
import { connectionOf, type Db } from '../../../db/database.ts'
import { insertMany } from '../../../db/insert-many.ts'
import { users } from '../../customers/tables.ts'
import { type KeptResult, type RunRow, scheduleRuns } from '../tables.ts'

type NewRow = typeof scheduleRuns.$inferInsert

/**
 * Inserts runs, except where the schedule has an open run or one for the same due time.
 * @returns the ids of those inserted
 */
export async function insertRuns(db: Db, rows: readonly NewRow[]): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set()
  const { text, values } = insertMany(scheduleRuns, rows)
  const inserted = await connectionOf(db).query<{ id: string }>(
    `${text} on conflict do nothing returning id`,
    [...values],
  )
  return new Set(inserted.rows.map(({ id }) => id))
}

export async function findRun(db: Db, id: string): Promise<RunRow | undefined> {
  const [row] = await db.select().from(scheduleRuns).where(eq(scheduleRuns.id, id))
  return row
}

/** Updates an open run; an ended one stays as it is. */
export async function updateRun(db: Db, id: string, change: Partial<RunRow>): Promise<boolean> {
  const rows = await db
    .update(scheduleRuns)
    .set(change)
    .where(and(eq(scheduleRuns.id, id), isNull(scheduleRuns.endedAt)))
    .returning({ id: scheduleRuns.id })
  return rows.length > 0
}

/** Records the progress of a task. @returns whether the run is still open */
export async function updateResult(
  db: Db,
  id: string,
  at: number,
  result: KeptResult,
): Promise<boolean> {
  const rows = await db
    .update(scheduleRuns)
    .set({
      results: sql`jsonb_set(${scheduleRuns.results}, array[${String(at)}], ${JSON.stringify(result)}::jsonb)`,
    })
    .where(and(eq(scheduleRuns.id, id), isNull(scheduleRuns.endedAt)))
    .returning({ id: scheduleRuns.id })
  return rows.length > 0
}

/** The job of a schedule's open run. */
export async function openJobOf(db: Db, scheduleId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ jobId: scheduleRuns.jobId })
    .from(scheduleRuns)
    .where(and(eq(scheduleRuns.scheduleId, scheduleId), isNull(scheduleRuns.endedAt)))
  return row?.jobId ?? undefined
}

/** Whether it has an open run, here or on its node. */
export async function isRunning(db: Db, scheduleId: string): Promise<boolean> {
  const [row] = await db
    .select({ id: scheduleRuns.id })
    .from(scheduleRuns)
    .where(and(eq(scheduleRuns.scheduleId, scheduleId), isNull(scheduleRuns.endedAt)))
    .limit(1)
  return row !== undefined
}

interface ListedRun {
  readonly row: RunRow
  readonly starter: { readonly email: string; readonly role: string } | null
}

/** Newest first. */
export async function listRunsOf(
  db: Db,
  scheduleId: string,
  before: Position | undefined,
  limit: number,
): Promise<ListedRun[]> {
  const rows = await db
    .select({ row: scheduleRuns, email: users.email, role: users.role })
    .from(scheduleRuns)
    .leftJoin(users, eq(users.id, scheduleRuns.startedBy))
    .where(
      and(
        eq(scheduleRuns.scheduleId, scheduleId),
        before &&
          sql`(${scheduleRuns.startedAt}, ${scheduleRuns.id}) < (${before[0]}::timestamptz, ${before[1]}::uuid)`,
      ),
    )
    .orderBy(desc(scheduleRuns.startedAt), desc(scheduleRuns.id))
    .limit(limit)
  return rows.map(({ row, email, role }) => ({
    row,
    starter: email === null || role === null ? null : { email, role },
  }))
}
