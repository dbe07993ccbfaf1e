import type { CrashPolicy, HoldKind, Power } from '@lodge/shared/servers.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'

/** What is kept of a server's desired state, with the holds that bear on it. */
export interface DesiredRow extends Record<string, unknown> {
  readonly id: string
  readonly node: string
  readonly generation: number
  readonly power: Power
  readonly run: number
  readonly install: number
  readonly ending: 'graceful' | 'kill'
  readonly crashPolicy: CrashPolicy
  /** As text: it is passed on unread. */
  readonly spec: string
  /** How to find out who plays, as JSON. */
  readonly query: string | null
  /** What the node is to be told in place of it, sealed; null where nothing is secret. */
  readonly sealed: Buffer | null
  readonly kind: 'container' | 'vm'
  readonly placement: number
  readonly holds: readonly HoldKind[]
}

/** The desired states for everything placed on these nodes. */
export const desiredRowsOfNodes = (db: Db, nodeIds: readonly string[]): Promise<DesiredRow[]> =>
  desiredRows(db, sql`s.node_id = any(${`{${nodeIds.join(',')}}`}::uuid[])`)

/** The desired states for these servers. */
export const desiredRowsOfServers = (db: Db, ids: readonly string[]): Promise<DesiredRow[]> =>
  desiredRows(db, sql`s.id = any(${`{${ids.join(',')}}`}::uuid[])`)

async function desiredRows(db: Db, which: SQL): Promise<DesiredRow[]> {
  const { rows } = await db.execute<DesiredRow>(sql`
    select s.id, s.node_id as node, s.generation, s.desired_power as power, s.desired_run as run,
      s.desired_install as install, s.desired_ending as ending, s.crash_policy as "crashPolicy",
      (s.desired_spec - 'query')::text as spec, (s.desired_spec -> 'query')::text as query, s.sealed, s.kind, s.placement_generation as placement,
      array(select h.kind from server_holds h where h.server_id = s.id) as holds
    from servers s where ${which} order by s.node_id, s.id`)
  return rows
}
