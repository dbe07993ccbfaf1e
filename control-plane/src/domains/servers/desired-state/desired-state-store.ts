import { HOLDS_LEASES } from '@lodge/shared/node-abilities.ts'
import type { CrashPolicy, HoldKind, Power } from '@lodge/shared/servers.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { MODE_ON_NODE } from '../failover-store.ts'

/** A server's stored desired state, with the holds that affect it. */
export interface DesiredRow extends Record<string, unknown> {
  readonly id: string
  readonly node: string
  readonly generation: number
  readonly power: Power
  readonly run: number
  readonly install: number
  readonly ending: 'graceful' | 'kill'
  readonly crashPolicy: CrashPolicy
  /** As text, because it is passed on unparsed. */
  readonly spec: string
  /** How to query the players, as JSON. */
  readonly query: string | null
  /** The spec to send to the node instead, encrypted; null if nothing is secret. */
  readonly sealed: Buffer | null
  readonly kind: 'container' | 'vm'
  readonly placement: number
  /** The mode in force, if its agent holds leases; null otherwise. */
  readonly failoverMode: 'pinned' | 'auto' | null
  readonly failoverRevision: number
  readonly holds: readonly HoldKind[]
}

/** Desired states of everything placed on these nodes. */
export const desiredRowsOfNodes = (db: Db, nodeIds: readonly string[]): Promise<DesiredRow[]> =>
  desiredRows(db, sql`s.node_id = any(${`{${nodeIds.join(',')}}`}::uuid[])`)

/** Desired states of these servers. */
export const desiredRowsOfServers = (db: Db, ids: readonly string[]): Promise<DesiredRow[]> =>
  desiredRows(db, sql`s.id = any(${`{${ids.join(',')}}`}::uuid[])`)

async function desiredRows(db: Db, which: SQL): Promise<DesiredRow[]> {
  const { rows } = await db.execute<DesiredRow>(sql`
    select s.id, s.node_id as node, s.generation, s.desired_power as power, s.desired_run as run,
      s.desired_install as install, s.desired_ending as ending, s.crash_policy as "crashPolicy",
      (s.desired_spec - 'query')::text as spec, (s.desired_spec -> 'query')::text as query, s.sealed, s.kind, s.placement_generation as placement,
      case when ${HOLDS_LEASES} = any(n.capabilities) then ${MODE_ON_NODE} end as "failoverMode",
      s.failover_revision::float8 as "failoverRevision",
      array(select h.kind from server_holds h where h.server_id = s.id) as holds
    from servers s join nodes n on n.id = s.node_id where ${which} order by s.node_id, s.id`)
  return rows
}
