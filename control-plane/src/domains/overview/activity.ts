import { JobState } from '@lodge/shared/jobs.ts'
import { ServerEvent } from '@lodge/shared/servers.ts'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { cutPage, decodeCursor } from '../../db/cursor.ts'
import type { Db } from '../../db/database.ts'
import { lowestIdAt, madeAt } from '../../db/timed-ids.ts'
import { Problem } from '../../problem.ts'

/** One line of recent activity. Who did it is in the audit log, not here. */
export const Activity = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  kind: z.enum(['server_event', 'job', 'node_connected', 'node_lost']),
  title: z.string(),
  serverId: z.uuid().nullable(),
  serverName: z.string().nullable(),
  nodeId: z.uuid().nullable(),
  nodeName: z.string().nullable(),
  /** For a server event: what happened to the server. */
  event: ServerEvent.shape.kind.nullable(),
  /** For a job: its state. */
  jobState: JobState.nullable(),
})
export type Activity = z.infer<typeof Activity>

/** Titles for what happened to a node. */
export const NODE_TITLES = { connected: 'Connected', lost: 'Lost its connection' } as const

/** Rows are ordered by this text, then by id; it has the database's microsecond precision. */
const CURSOR_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

/**
 * Server events, jobs and nodes that came or went, newest first. Each source is read through its
 * own index, at most a page of it, however long the history is.
 */
export async function pageOfActivity(db: Db, query: { after?: string | undefined; limit: number }) {
  const position = decodeCursor(query.after)
  if (position && !(CURSOR_TIME.test(position[0]) && Number.isFinite(Date.parse(position[0])))) {
    throw new Problem(
      'invalid_cursor',
      'The cursor is not one that this list gave: start from the first page',
    )
  }
  const [at, id] = position ?? [
    '9999-12-31T00:00:00.000000Z',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ]
  const limit = query.limit + 1
  const { rows } = await db.execute<Activity>(sql`
    with events as (
      select id, at, 'server_event' as kind, reason as title, server_id, null::uuid as node_id, kind as event, null as job_state
      from server_events where (at, id) < (${at}::timestamptz, ${id}::uuid) order by at desc, id desc limit ${limit}),
    work as (
      select id, ${madeAt(sql`id`)} as at, 'job', title, server_id, node_id, null, state
      from jobs where id < ${lowestIdAt(Date.parse(at) + 1)}::uuid and (${madeAt(sql`id`)}, id) < (${at}::timestamptz, ${id}::uuid)
      order by id desc limit ${limit}),
    machines as (
      select id, coalesce(connected_at, last_seen_at) as at, case when connected_at is null then 'node_lost' else 'node_connected' end,
        case when connected_at is null then ${NODE_TITLES.lost} else ${NODE_TITLES.connected} end, null::uuid, id, null, null
      from nodes where (coalesce(connected_at, last_seen_at), id) < (${at}::timestamptz, ${id}::uuid)
      order by 2 desc, 1 desc limit ${limit})
    select happened.id, to_char(happened.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, happened.kind, title,
      server_id as "serverId", s.name as "serverName", coalesce(happened.node_id, s.node_id) as "nodeId", n.name as "nodeName",
      event, job_state as "jobState"
    from (select * from events union all select * from work union all select * from machines) happened
    left join servers s on s.id = happened.server_id left join nodes n on n.id = coalesce(happened.node_id, s.node_id)
    order by happened.at desc, happened.id desc limit ${limit}`)
  return cutPage(rows, query.limit, (row) => [row.at, row.id])
}
