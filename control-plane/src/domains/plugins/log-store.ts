import { and, asc, desc, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { pluginLogs } from './tables.ts'

/** How many lines of each plugin are kept. */
const KEPT = 2000

type Line = Pick<typeof pluginLogs.$inferInsert, 'at' | 'level' | 'text'>

/** Appends lines of a plugin and deletes the oldest beyond `KEPT`. */
export async function appendLines(db: Db, pluginId: string, lines: readonly Line[]): Promise<void> {
  // Lines of a plugin that was removed meanwhile are dropped.
  await db.execute(sql`
    insert into ${pluginLogs} (plugin_id, at, level, text)
    select p.id, line.at, line.level, line.text
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
      as line(at timestamptz, level text, text text), plugins p
    where p.id = ${pluginId}`)
  await db.delete(pluginLogs).where(
    and(
      eq(pluginLogs.pluginId, pluginId),
      lt(
        pluginLogs.id,
        sql`(select id from ${pluginLogs} kept where kept.plugin_id = ${pluginId}
             order by kept.id desc offset ${KEPT - 1} limit 1)`,
      ),
    ),
  )
}

export type LogLevelName = (typeof pluginLogs.$inferSelect)['level']

/** The newest lines, or those that follow one; oldest first. */
export async function readLines(
  db: Db,
  pluginId: string,
  given: {
    readonly after: number | undefined
    readonly levels: readonly LogLevelName[]
    readonly limit: number
  },
) {
  const { after, levels, limit } = given
  const rows = await db
    .select()
    .from(pluginLogs)
    .where(
      and(
        eq(pluginLogs.pluginId, pluginId),
        inArray(pluginLogs.level, [...levels]),
        after === undefined ? undefined : gt(pluginLogs.id, after),
      ),
    )
    .orderBy(after === undefined ? desc(pluginLogs.id) : asc(pluginLogs.id))
    .limit(limit)
  return after === undefined ? rows.toReversed() : rows
}
