import { MOST_EXTENSION_SECONDS } from '@lodge/shared/leases/times.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { type AgentMark, EPOCH_LEAP, type Identity, type Lineage, MARK_LEAP } from './lineage.ts'

/** What a role may query about PostgreSQL itself, as expressions. */
export type Asked = SQL

/**
 * What this role may query about PostgreSQL itself, as expressions. By default every role may; where
 * a service forbids it or a version lacks it, the mark and the agents still reveal a set-back.
 */
export async function identityOf(db: Db): Promise<Asked> {
  const { rows } = await db.execute<{ control: boolean; wal: boolean }>(sql`
    select has_function_privilege('pg_control_system()', 'execute') as control,
      has_function_privilege('pg_control_checkpoint()', 'execute')
        and has_function_privilege('pg_current_wal_lsn()', 'execute')
        and has_function_privilege('pg_walfile_name(pg_lsn)', 'execute') as wal`)
  const [may] = rows
  const system = may?.control
    ? sql`(select system_identifier::text from pg_control_system())`
    : sql`null::text`
  // After a promotion the control file names the new timeline only after the next checkpoint, the WAL
  // immediately.
  const timeline = may?.wal
    ? sql`case when pg_is_in_recovery() then (select timeline_id from pg_control_checkpoint())
        else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end`
    : sql`null::int`
  return sql`${system} as "nowIdentifier", ${timeline} as "nowTimeline"`
}

interface Look extends Record<string, unknown> {
  readonly nowIdentifier: string | null
  readonly nowTimeline: number | null
  readonly systemIdentifier: string | null
  readonly timeline: number | null
  readonly mark: number
  readonly setBacks: number
  readonly setBackId: string | null
  readonly agoMs: number | null
}

/**
 * What PostgreSQL reports about itself, and what the database has recorded; undefined before the
 * first look.
 */
export async function lookAtLineage(
  db: Db,
  identity: Asked,
  lock: 'none' | 'update' = 'none',
): Promise<{ readonly now: Identity; readonly recorded: Lineage } | undefined> {
  const { rows } = await db.execute<Look>(sql`
    select ${identity}, l.system_identifier as "systemIdentifier", l.timeline,
      l.mark::float8 as mark, l.set_backs as "setBacks", l.set_back_id as "setBackId",
      extract(epoch from clock_timestamp() - l.set_back_at)::float8 * 1000 as "agoMs"
    from database_lineage l where l.id = 1 ${sql.raw(lock === 'none' ? '' : 'for update of l')}`)
  const [row] = rows
  if (!row) return undefined
  const { nowIdentifier, nowTimeline, ...recorded } = row
  return { now: { systemIdentifier: nowIdentifier, timeline: nowTimeline }, recorded }
}

/** The first look records everything; later ones fill in what could not be queried before. */
export async function recordIdentity(db: Db, identity: Asked): Promise<void> {
  await db.execute(sql`
    insert into database_lineage as l (id, system_identifier, timeline)
    select 1, "nowIdentifier", "nowTimeline" from (select ${identity}) now
    on conflict (id) do update set
      system_identifier = coalesce(l.system_identifier, excluded.system_identifier),
      timeline = coalesce(l.timeline, excluded.timeline)`)
}

/** @returns the new mark */
export async function advanceMark(db: Db): Promise<number> {
  const { rows } = await db.execute<{ mark: number }>(sql`
    update database_lineage set mark = mark + 1 where id = 1 returning mark::float8 as mark`)
  return rows[0]?.mark ?? 0
}

/** The caller has locked the row and seen that no other instance has done this. */
export async function recordSetBack(
  db: Db,
  given: {
    readonly id: string
    readonly why: string
    readonly setBacks: number
    readonly mark: number
    readonly now: Identity
  },
): Promise<void> {
  const { id, why, setBacks, mark, now } = given
  await db.execute(sql`
    update database_lineage set set_backs = ${setBacks}, set_back_id = ${id}::uuid,
      set_back_at = clock_timestamp(), set_back_why = ${why}, mark = ${mark + MARK_LEAP}::bigint,
      system_identifier = coalesce(${now.systemIdentifier}::text, system_identifier),
      timeline = coalesce(${now.timeline}::int, timeline)
    where id = 1`)
}

/** Epochs stay below the column's maximum, whatever an agent claims. */
const EPOCH_MOST = 2_000_000_000

/**
 * Leases extended since then last longer than the database knows. Shorter leases apply again once the
 * coordinator has waited for these.
 */
const LONGEST = `lease_longest_ttl_ms = greatest(lease_longest_ttl_ms, ${MOST_EXTENSION_SECONDS * 1000})`

/** A request to switch a node off is valid only for the renewal that it names, so none is left. */
const ENDED = sql`renew_seq = renew_seq + 1, session_id = null, instance_id = null, connected_at = null,
  ${sql.raw(LONGEST)}, inventory_taken = false, revision = revision + 1`

/**
 * Raises the epochs of all nodes beyond what was lost, in one statement, and ends their sessions:
 * each node sends its whole inventory when it reconnects, and nothing of it is applied before that.
 */
export async function raiseEpochs(db: Db): Promise<{ id: string; epoch: number }[]> {
  const { rows } = await db.execute<{ id: string; epoch: number }>(sql`
    with held as materialized (select id from nodes order by id for no key update)
    update nodes n set epoch = least(epoch + ${EPOCH_LEAP}, ${EPOCH_MOST}), ${ENDED}
    from held where n.id = held.id returning n.id, n.epoch`)
  return rows
}

/**
 * Handles one node that knows more than the database: raises its epoch beyond the one that it was
 * told, counts its acknowledged reports as applied (the reports themselves are lost), and ends its
 * session, so that its inventory is compared when it reconnects.
 * @returns its new epoch; undefined if it is gone
 */
export async function suspectNode(
  db: Db,
  nodeId: string,
  agent: AgentMark,
): Promise<number | undefined> {
  const { rows } = await db.execute<{ epoch: number }>(sql`
    update nodes set epoch = least(greatest(epoch, ${agent.nodeEpoch}::bigint) + 1, ${EPOCH_MOST}),
      compared_set_back = -1, ${ENDED}
    where id = ${nodeId}::uuid returning epoch`)
  const [row] = rows
  if (!row) return undefined
  await db.execute(sql`
    insert into node_reports as r (node_id, through)
    values (${nodeId}::uuid, ${agent.acknowledgedReport}::bigint)
    on conflict (node_id) do update set through = greatest(r.through, excluded.through)`)
  return row.epoch
}

/** Whether a node was compared since the latest set-back, as a condition on rows of `nodes`. */
export const COMPARED = `(nodes.compared_set_back >=
  coalesce((select set_backs from database_lineage where id = 1), 0))`

export async function comparedNodes(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from nodes where id = any(${sql.param([...ids])}::uuid[]) and ${sql.raw(COMPARED)}`)
  return new Set(rows.map(({ id }) => id))
}

/** Nodes that have joined and have not sent their inventory since the latest set-back, by name. */
export async function nodesToCompare(db: Db): Promise<{ id: string; name: string }[]> {
  const { rows } = await db.execute<{ id: string; name: string }>(sql`
    select id, name from nodes where credential_hash is not null and not ${sql.raw(COMPARED)}
    order by name, id`)
  return rows
}

/** The number of set-backs; locked until the transaction ends. */
export async function lockSetBacks(db: Db): Promise<number> {
  const { rows } = await db.execute<{ setBacks: number }>(
    sql`select set_backs as "setBacks" from database_lineage where id = 1 for share`,
  )
  return rows[0]?.setBacks ?? 0
}

/** @returns false if the node was compared before, or is gone */
export async function noteCompared(db: Db, nodeId: string, setBacks: number): Promise<boolean> {
  const { rows } = await db.execute<{ id: string }>(sql`
    update nodes set compared_set_back = ${setBacks}, revision = revision + 1
    where id = ${nodeId}::uuid and compared_set_back < ${setBacks} returning id`)
  return rows.length > 0
}

/** The latest set-back of the database; undefined if there was none. */
export async function latestSetBack(
  db: Db,
): Promise<{ at: Date; why: string; setBacks: number } | undefined> {
  const { rows } = await db.execute<{ atMs: number; why: string; setBacks: number }>(sql`
    select extract(epoch from set_back_at)::float8 * 1000 as "atMs", set_back_why as why,
      set_backs as "setBacks"
    from database_lineage where set_back_at is not null`)
  const [row] = rows
  return row && { at: new Date(row.atMs), why: row.why, setBacks: row.setBacks }
}
