import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'

/** How many of the newest servers with tags are searched for the tags in use. */
const LOOKED_AT = 2_000

/**
 * The tags on the servers that somebody can reach, most used first.
 * @param userId null for all servers
 */
export async function tagsInUse(db: Db, userId: string | null): Promise<string[]> {
  const reached =
    userId === null
      ? sql``
      : sql`and id in (select id from servers where owner_id = ${userId}::uuid
          union all select server_id from server_collaborators where user_id = ${userId}::uuid)`
  const { rows } = await db.execute<{ tag: string }>(sql`
    select tag from (
      select tags from servers where tags <> '{}' ${reached}
      order by id desc limit ${LOOKED_AT}) tagged, unnest(tags) tag
    group by tag order by count(*) desc, tag limit 200`)
  return rows.map(({ tag }) => tag)
}
