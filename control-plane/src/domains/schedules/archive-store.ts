import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { scheduleArchives } from './tables.ts'

/** The archives of one task of a schedule. */
interface Series {
  readonly scheduleId: string
  readonly series: string
}

export async function insertScheduleArchive(
  db: Db,
  row: Series & { readonly path: string },
): Promise<void> {
  await db.insert(scheduleArchives).values(row).onConflictDoNothing()
}

/** How many one job deletes; the next run deletes the rest. */
const AT_ONCE = 50

/** Paths of archives that were made before the newest `keep`. */
export async function archivesBeyond(
  db: Db,
  { scheduleId, series }: Series,
  keep: number,
): Promise<string[]> {
  const rows = await db
    .select({ path: scheduleArchives.path })
    .from(scheduleArchives)
    .where(and(eq(scheduleArchives.scheduleId, scheduleId), eq(scheduleArchives.series, series)))
    .orderBy(desc(scheduleArchives.madeAt), desc(scheduleArchives.path))
    .offset(keep)
    .limit(AT_ONCE)
  return rows.map((row) => row.path)
}

export async function deleteScheduleArchives(
  db: Db,
  scheduleId: string,
  paths: readonly string[],
): Promise<void> {
  await db
    .delete(scheduleArchives)
    .where(
      and(eq(scheduleArchives.scheduleId, scheduleId), inArray(scheduleArchives.path, [...paths])),
    )
}
