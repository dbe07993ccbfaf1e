import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { ONLINE } from '../../fleet/online.ts'
import { beyond } from './store.ts'

/** Backups that survive the loss of their server's current node. */
const OFF_NODE = sql.raw(
  `(r.place = 's3' or coalesce(r.storage_node_id, r.node_id) is distinct from s.node_id)`,
)
/** When a server's newest such backup began: changes since then are lost with its node. */
const SAFE_AT = sql`(
  select max(b.created_at) from server_backups b
  join backup_repositories r on r.id = b.repository_id
  where b.server_id = s.id and b.state = 'good' and b.damaged_at is null and ${OFF_NODE})`

export async function safeAtOf(db: Db, serverId: string): Promise<Date | null> {
  const { rows } = await db.execute<{ at: Date | string | null }>(sql`
    select ${SAFE_AT} as at from servers s where s.id = ${serverId}::uuid`)
  return momentOf(rows[0]?.at)
}

const momentOf = (at: Date | string | null | undefined): Date | null =>
  at === null || at === undefined ? null : new Date(at)

export interface Exposed {
  readonly id: string
  readonly name: string
  readonly safeAt: Date | null
}

/**
 * What the servers of a node would lose with it, the worst first; those on shared storage lose
 * nothing.
 */
export async function exposedOnNode(
  db: Db,
  nodeId: string,
  limit: number,
): Promise<{ total: number; without: number; oldestAt: Date | null; items: Exposed[] }> {
  const { rows } = await db.execute<{
    id: string
    name: string
    at: Date | string | null
    total: number
    without: number
    oldest: Date | string | null
  }>(sql`
    with exposed as (
      select s.id, s.name, ${SAFE_AT} as at from servers s
      where s.node_id = ${nodeId}::uuid and s.storage_id is null)
    select id, name, at, count(*) over ()::int as total,
      (count(*) filter (where at is null) over ())::int as without, min(at) over () as oldest
    from exposed order by at nulls first, lower(name), id limit ${limit}`)
  return {
    total: rows[0]?.total ?? 0,
    without: rows[0]?.without ?? 0,
    oldestAt: momentOf(rows[0]?.oldest),
    items: rows.map(({ id, name, at }) => ({ id, name, safeAt: momentOf(at) })),
  }
}

/** The backups that the host makes of a node's servers. */
export async function hostsOnNode(
  db: Db,
  nodeId: string,
): Promise<{ backups: number; storedBytes: number }> {
  const { rows } = await db.execute<{ backups: number; storedBytes: number }>(sql`
    select count(*)::int as backups, coalesce(sum(b.stored_bytes), 0)::float8 as "storedBytes"
    from server_backups b join servers s on s.id = b.server_id
    where s.node_id = ${nodeId}::uuid and b.by_host and b.state = 'good'`)
  return rows[0] ?? { backups: 0, storedBytes: 0 }
}

/** Marks for deletion the unlocked backups of the host beyond the newest `keep`. */
export async function rotateHosts(db: Db, serverId: string, keep: number): Promise<void> {
  await db.execute(sql`
    update server_backups set state = 'deleting', leftover = true, reserved_mb = 0
    where id in (${beyond(keep, sql`server_id = ${serverId}::uuid and by_host`)})`)
}

export interface Due {
  readonly id: string
  readonly ownerId: string
  readonly nodeId: string
}

/** What nobody can back up now, not even the host, who may back up what is suspended. */
const UNABLE = sql.raw(`(s.install_failed or s.observed_state in ('absent', 'installing')
  or exists (select from server_holds h where h.server_id = s.id and h.kind <> 'suspension'))`)

const covered = (nodeIds: readonly string[] | null) =>
  nodeIds === null ? sql`true` : sql`s.node_id = any(${sql.param([...nodeIds])}::uuid[])`

/**
 * Servers whose backup is due, at most `perNode` at a time on each node. A server's id determines its
 * time within the interval, so that backups are spread over it; a failed one is due again after an
 * hour.
 * @param given.except servers that take no turn
 */
export async function dueServers(
  db: Db,
  given: {
    everyHours: number
    nodeIds: readonly string[] | null
    perNode: number
    except?: readonly string[]
  },
): Promise<Due[]> {
  const seconds = given.everyHours * 3600
  const except = sql`${sql.param([...(given.except ?? [])])}::uuid[]`
  const { rows } = await db.execute<{ id: string; ownerId: string; nodeId: string }>(sql`
    with waiting as (
      select s.id, s.owner_id, s.node_id,
        row_number() over (partition by s.node_id order by last.at nulls first, s.id) as turn
      from servers s join nodes on nodes.id = s.node_id
      left join lateral (
        select max(b.created_at) as at from server_backups b
        where b.server_id = s.id and b.by_host and b.state = 'good' and b.damaged_at is null) last on true
      where ${sql.raw(ONLINE)} and ${covered(given.nodeIds)} and not ${UNABLE}
        and s.id <> all(${except}) and nodes.capabilities @> array[
          case s.kind when 'vm' then 'machine.backups' else 'container.backups' end]
        and (last.at is null or last.at < now() - make_interval(secs => ${seconds} / 2.0)
          and last.at < now() - make_interval(secs =>
            mod(extract(epoch from now())::bigint + abs(hashtext(s.id::text)::bigint), ${seconds})))
        and not exists (select from jobs j where j.server_id = s.id and j.ended_at is null
          and j.kind <> 'backup.verify')
        and not exists (select from server_backups b where b.server_id = s.id and b.by_host
          and b.state = 'failed' and b.created_at > now() - interval '1 hour'))
    select w.id, w.owner_id as "ownerId", w.node_id as "nodeId" from waiting w
    where w.turn <= ${given.perNode} - (
      select count(*) from server_backups b join servers o on o.id = b.server_id
      where o.node_id = w.node_id and b.by_host and b.state = 'creating')
    order by w.id limit 500`)
  return rows
}

export interface Overdue {
  readonly nodeId: string
  readonly nodeName: string
  readonly servers: number
}

/** Nodes with servers that missed two backups in a row. */
export async function overdueNodes(
  db: Db,
  { everyHours, nodeIds }: { everyHours: number; nodeIds: readonly string[] | null },
): Promise<Overdue[]> {
  const { rows } = await db.execute<{ nodeId: string; nodeName: string; servers: number }>(sql`
    select nodes.id as "nodeId", nodes.name as "nodeName", count(*)::int as servers
    from servers s join nodes on nodes.id = s.node_id
    where ${covered(nodeIds)} and s.observed_state <> 'absent'
      and coalesce(${SAFE_AT}, s.created_at) < now() - make_interval(hours => ${2 * everyHours})
    group by nodes.id, nodes.name`)
  return rows
}
