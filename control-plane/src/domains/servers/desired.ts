import { type DesiredServer, Ending, Power as WirePower } from '@lodge/proto/server.ts'
import type { CrashPolicy, HoldKind, Power } from '@lodge/shared/servers.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'

/** Holds under which a server stays off whatever its owner wishes. */
const KEEPS_OFF: readonly HoldKind[] = [
  'suspension',
  'deleting',
  'migrating',
  'restoring',
  'snapshotting',
  'failover',
]

interface WishRow extends Record<string, unknown> {
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
  readonly kind: 'container' | 'vm'
  readonly placement: number
  readonly holds: readonly HoldKind[]
}

/** Everything wished for each of these nodes, by node. */
export async function wishesOfNodes(
  db: Db,
  nodeIds: readonly string[],
): Promise<ReadonlyMap<string, DesiredServer[]>> {
  const rows = await wishes(db, sql`s.node_id = any(${`{${nodeIds.join(',')}}`}::uuid[])`)
  return new Map(
    [...Map.groupBy(rows, ({ node }) => node)].map(([node, own]) => [node, own.map(desiredServer)]),
  )
}

/** The wish for each of these servers, and the node that it is for. */
export async function wishesOfServers(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { node: string; wish: DesiredServer }>> {
  const rows = await wishes(db, sql`s.id = any(${`{${ids.join(',')}}`}::uuid[])`)
  return new Map(rows.map((row) => [row.id, { node: row.node, wish: desiredServer(row) }]))
}

async function wishes(db: Db, which: SQL): Promise<WishRow[]> {
  const { rows } = await db.execute<WishRow>(sql`
    select s.id, s.node_id as node, s.generation, s.wish_power as power, s.wish_run as run,
      s.wish_install as install, s.wish_ending as ending, s.crash_policy as "crashPolicy",
      s.wish_spec::text as spec, s.kind, s.placement_generation as placement,
      array(select h.kind from server_holds h where h.server_id = s.id) as holds
    from servers s where ${which} order by s.node_id, s.id`)
  return rows
}

/** The wish as the agent is told it: holds are folded in, reasons stay here. */
function desiredServer(row: WishRow): DesiredServer {
  const off = row.power === 'off' || row.holds.some((kind) => KEEPS_OFF.includes(kind))
  return {
    serverId: row.id,
    generation: row.generation,
    power: off ? WirePower.OFF : WirePower.ON,
    run: row.run,
    install: row.install,
    ending: row.ending === 'kill' ? Ending.KILL : Ending.GRACEFUL,
    removed: row.holds.includes('deleting'),
    crashPolicy: row.crashPolicy,
    ...(row.kind === 'vm'
      ? { containerSpec: '', machineSpec: row.spec }
      : { containerSpec: row.spec }),
    placementGeneration: row.placement,
  }
}
