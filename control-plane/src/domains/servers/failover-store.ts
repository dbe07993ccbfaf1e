import { GUARDS_MACHINES, HOLDS_LEASES } from '@lodge/shared/node-abilities.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { type ServerRow, servers } from './tables.ts'

/**
 * The failover mode of a server `s` on the node `n`: its own, or that of its node. `auto` does not
 * apply to a virtual machine whose agent does not report that it guards machines: nothing would end
 * it.
 */
export const MODE_IN_FORCE = sql`case when s.kind = 'vm'
    and coalesce(s.failover_mode, n.failover_mode) = 'auto'
    and not (n.capabilities @> ${`{${HOLDS_LEASES},${GUARDS_MACHINES}}`}::text[]) then 'pinned'
  else coalesce(s.failover_mode, n.failover_mode) end`

/**
 * The revision that an observation confirms to be guarded. Reports of a fenced node can only lower
 * it, as `confirmedRevision` of the rules of leases says.
 */
export const confirmed = (nodeId: string, said: number): SQL<number> =>
  sql`case when (select fenced_at is not null from nodes where id = ${nodeId}::uuid)
    then least(${servers.guardedRevision}, ${said}::bigint) else ${said}::bigint end`

/**
 * Forgets what these nodes had confirmed to guard: an agent without leases has connected, and a later
 * one with leases has to confirm each server anew.
 */
export async function forgetGuards(db: Db, nodeIds: readonly string[]): Promise<void> {
  await db.execute(sql`
    with held as materialized (
      select id from servers
      where node_id = any(${`{${nodeIds.join(',')}}`}::uuid[]) and guarded_revision > 0
      order by id for no key update)
    update servers s set guarded_revision = 0, revision = revision + 1 from held where s.id = held.id`)
}

/**
 * Renews revisions after agents of other versions have connected, because the mode in force of their
 * machines may have changed. A node reacts only to a newer revision: unconfirmed machines get one
 * where the agent guards machines, and confirmed ones where it does not.
 */
export async function renewMachineGuards(
  db: Db,
  {
    guarding,
    others,
  }: { readonly guarding: readonly string[]; readonly others: readonly string[] },
): Promise<void> {
  await db.execute(sql`
    with held as materialized (
      select s.id, s.node_id = any(${`{${guarding.join(',')}}`}::uuid[]) as guards
      from servers s join nodes n on n.id = s.node_id
      where s.kind = 'vm' and s.node_id = any(${`{${[...guarding, ...others].join(',')}}`}::uuid[])
        and case when s.node_id = any(${`{${guarding.join(',')}}`}::uuid[])
          then coalesce(s.failover_mode, n.failover_mode) = 'auto'
            and s.guarded_revision <> s.failover_revision
          else s.guarded_revision > 0 end
      order by s.id for no key update of s)
    update servers s set failover_revision = s.failover_revision + 1, revision = s.revision + 1,
      guarded_revision = case when held.guards then s.guarded_revision else 0 end
    from held where s.id = held.id`)
}

/** Sets the failover mode of a server itself; null: that of its node. */
export async function updateFailoverMode(
  db: Db,
  id: string,
  mode: ServerRow['failoverMode'],
): Promise<void> {
  await db.execute(sql`
    update servers set failover_mode = ${mode}, failover_revision = failover_revision + 1,
      revision = revision + 1
    where id = ${id}::uuid and failover_mode is distinct from ${mode}::text`)
}

/** Follows a change of a node's mode on its servers that have no mode of their own. */
export async function followNodeMode(db: Db, nodeId: string): Promise<void> {
  await db.execute(sql`
    with held as materialized (
      select id from servers where node_id = ${nodeId}::uuid and failover_mode is null
      order by id for no key update)
    update servers s set failover_revision = failover_revision + 1, revision = revision + 1
    from held where s.id = held.id`)
}

/** The state of a server's failover. */
export interface FailoverStand extends Record<string, unknown> {
  readonly id: string
  readonly nodeId: string
  readonly mode: NonNullable<ServerRow['failoverMode']>
  readonly own: ServerRow['failoverMode']
  readonly revision: number
  readonly guardedRevision: number
}

/**
 * The mode in force as its node gets it: a server that is verified to be off needs no guard there.
 */
export const MODE_ON_NODE = sql`case when ${MODE_IN_FORCE} = 'auto' then 'auto' else 'pinned' end`

/** The servers of these nodes that fail over automatically. */
export async function movableServers(db: Db, nodeIds: readonly string[]): Promise<FailoverStand[]> {
  const { rows } = await db.execute<FailoverStand>(sql`
    select s.id, s.node_id as "nodeId", ${MODE_IN_FORCE} as mode, s.failover_mode as own,
      s.failover_revision::float8 as revision, s.guarded_revision::float8 as "guardedRevision"
    from servers s join nodes n on n.id = s.node_id
    where s.node_id = any(${`{${nodeIds.join(',')}}`}::uuid[]) and ${MODE_IN_FORCE} <> 'pinned'
    order by s.id`)
  return rows
}

/** How many virtual machines of these nodes stay pinned although `auto` is chosen for them. */
export async function unguardedMachines(
  db: Db,
  nodeIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.execute<{ nodeId: string; machines: number }>(sql`
    select s.node_id as "nodeId", count(*)::int as machines
    from servers s join nodes n on n.id = s.node_id
    where s.node_id = any(${`{${nodeIds.join(',')}}`}::uuid[])
      and coalesce(s.failover_mode, n.failover_mode) = 'auto' and ${MODE_IN_FORCE} = 'pinned'
    group by s.node_id`)
  return new Map(rows.map(({ nodeId, machines }) => [nodeId, machines]))
}
