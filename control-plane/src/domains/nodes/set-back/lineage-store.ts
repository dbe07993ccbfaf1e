import { MOST_EXTENSION_SECONDS } from '@lodge/shared/leases/times.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { type AgentMark, EPOCH_LEAP, type Identity, type Lineage, MARK_LEAP } from './lineage.ts'

/** What a role may ask PostgreSQL of itself, as expressions of a query. */
export type Asked = SQL

/**
 * What this role may ask PostgreSQL of itself, as expressions. Everybody may by default; services that
 * forbid it, or a version that does, leave the mark and the agents to notice a set-back.
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
  // After a promotion the control file names the new timeline only with the next checkpoint, the log
  // at once.
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

/** What PostgreSQL says of itself, and what the database has recorded; undefined before the first time. */
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

/** The first look records what there is; later ones fill in what could not be asked before. */
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

/** The row is locked by the caller, who has seen that nobody else has done this. */
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

/** Epochs end below the largest that the column holds, whatever an agent has said of its own. */
const EPOCH_MOST = 2_000_000_000

/**
 * Leases that were extended meanwhile last longer than the database knows. Shorter ones count again once
 * the coordinator has waited for these.
 */
const LONGEST = `lease_longest_ttl_ms = greatest(lease_longest_ttl_ms, ${MOST_EXTENSION_SECONDS * 1000})`

/** A request to switch a node off counts for the renewal that it names alone, so none is left. */
const ENDED = sql`renew_seq = renew_seq + 1, session_id = null, instance_id = null, connected_at = null,
  ${sql.raw(LONGEST)}, inventory_taken = false, revision = revision + 1`

/**
 * Raises the epochs of all nodes beyond what was lost, in one statement, and ends their sessions: each
 * sends its whole inventory when it connects again, and nothing of it is taken over before that.
 */
export async function raiseEpochs(db: Db): Promise<{ id: string; epoch: number }[]> {
  const { rows } = await db.execute<{ id: string; epoch: number }>(sql`
    with held as materialized (select id from nodes order by id for no key update)
    update nodes n set epoch = least(epoch + ${EPOCH_LEAP}, ${EPOCH_MOST}), ${ENDED}
    from held where n.id = held.id returning n.id, n.epoch`)
  return rows
}

/**
 * One node knows more than the database: its epoch rises beyond the one it was told, what it was
 * acknowledged counts as applied (the reports themselves are lost), its session ends, and its inventory
 * is compared when it connects again.
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

/** As a condition on rows of `nodes`. */
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

/** The count of set-backs; it cannot change before the transaction ends. */
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
