import { and, asc, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import type { TemplateRow } from '../../templates/index.ts'
import { servers } from '../tables.ts'

const SERVERS_MAX = 1000

/** Servers on older versions of a template, by name, at most a thousand. */
export const serversOfOlderVersions = (db: Db, template: TemplateRow) =>
  db
    .select({
      id: servers.id,
      name: servers.name,
      templateVersion: sql<number>`${servers.templateVersion}`,
    })
    .from(servers)
    .where(and(eq(servers.templateId, template.id), lt(servers.templateVersion, template.version)))
    .orderBy(asc(servers.name), asc(servers.id))
    .limit(SERVERS_MAX)

/** Ids of all servers of a template. */
export async function serverIdsOf(db: Db, templateId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ id: servers.id })
    .from(servers)
    .where(eq(servers.templateId, templateId))
  return new Set(rows.map((row) => row.id))
}
