import { and, desc, eq, gte, inArray, lte, sql } from 'drizzle-orm'
import type { Position } from '../../db/cursor.ts'
import type { Db } from '../../db/database.ts'
import { type EventRow, serverEvents, servers } from './tables.ts'

/**
 * Inserts events of this node's servers only; known ones are left unchanged.
 * @returns the new ones
 */
export async function insertEvents(
  db: Db,
  nodeId: string,
  rows: readonly (typeof serverEvents.$inferInsert)[],
): Promise<EventRow[]> {
  if (rows.length === 0) return []
  const own = await db
    .select({ id: servers.id })
    .from(servers)
    .where(
      and(
        eq(servers.nodeId, nodeId),
        inArray(
          servers.id,
          rows.map((row) => row.serverId),
        ),
      ),
    )
  const ids = new Set(own.map((row) => row.id))
  const known = rows.filter((row) => ids.has(row.serverId))
  if (known.length === 0) return []
  return db.insert(serverEvents).values(known).onConflictDoNothing().returning()
}

/** Whether the server had an event of the same kind within the given time before. */
export async function happenedBefore(
  db: Db,
  event: Pick<EventRow, 'id' | 'serverId' | 'kind' | 'at'>,
  withinSeconds: number,
): Promise<boolean> {
  const { rows } = await db.execute<{ one: number }>(sql`
    select 1 as one from server_events where server_id = ${event.serverId}::uuid and kind = ${event.kind}
      and id <> ${event.id}::uuid and at <= ${event.at.toISOString()}::timestamptz
      and at > ${event.at.toISOString()}::timestamptz - make_interval(secs => ${withinSeconds})
    limit 1`)
  return rows.length > 0
}

/** The newest events of a server, without output. */
export const newestEvents = (db: Db, serverId: string, limit: number) =>
  db
    .select({
      kind: serverEvents.kind,
      at: serverEvents.at,
      reason: serverEvents.reason,
      restart: serverEvents.restart,
    })
    .from(serverEvents)
    .where(eq(serverEvents.serverId, serverId))
    .orderBy(desc(serverEvents.at), desc(serverEvents.id))
    .limit(limit)

/** The last event up to each moment, skipping events that do not change whether a server runs. */
export async function lastEventKinds(
  db: Db,
  serverId: string,
  moments: readonly Date[],
): Promise<(EventRow['kind'] | undefined)[]> {
  const list = `{${moments.map((at) => at.toISOString()).join(',')}}`
  const { rows } = await db.execute<{ kind: EventRow['kind'] | null }>(sql`
    select last.kind from unnest(${list}::timestamptz[]) with ordinality as asked(at, place)
    left join lateral (
      select kind from server_events
      where server_id = ${serverId}::uuid and at <= asked.at and kind not in ('out_of_memory', 'disk_full')
      order by at desc, id desc limit 1) last on true
    order by asked.place`)
  return rows.map(({ kind }) => kind ?? undefined)
}

/** A page of the history, newest first, between two moments if given. */
export const listEvents = (
  db: Db,
  serverId: string,
  {
    after,
    from,
    to,
    limit,
  }: {
    after: Position | undefined
    from: string | undefined
    to: string | undefined
    limit: number
  },
) =>
  db
    .select()
    .from(serverEvents)
    .where(
      and(
        eq(serverEvents.serverId, serverId),
        from === undefined ? undefined : gte(serverEvents.at, new Date(from)),
        to === undefined ? undefined : lte(serverEvents.at, new Date(to)),
        after &&
          sql`(${serverEvents.at}, ${serverEvents.id}) < (${after[0]}::timestamptz, ${after[1]}::uuid)`,
      ),
    )
    .orderBy(desc(serverEvents.at), desc(serverEvents.id))
    .limit(limit + 1)

/** Keeps the newest thousand per server. */
export async function deleteOldEvents(db: Db): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    with old as (
      select id from (select id, row_number() over (partition by server_id order by at desc) as rank from server_events) ranked
      where rank > 1000 limit 5000),
    gone as (delete from server_events where id in (select id from old) returning 1)
    select count(*)::int as count from gone`)
  return rows[0]?.count ?? 0
}
