import { sql } from 'drizzle-orm'
import { connectionOf, type Db } from '../../db/database.ts'
import { Problem } from '../../problem.ts'

/** What a server takes of its node; MiB and per cent of a core. */
export interface Size {
  readonly memoryMb: number
  readonly cpuPercent: number
  readonly diskMb: number
}

export interface Place {
  readonly nodeId?: string | undefined
  readonly location?: string | undefined
  /** Only one of these. */
  readonly among?: readonly string[] | undefined
}

/** The node that was chosen, with its row held until the transaction ends. */
export interface ReservedNode {
  readonly nodeId: string
  readonly location: string
  readonly address: string | null
  readonly portRanges: { from: number; to: number }[]
  /** Host ports of the node that are taken, in no order. */
  readonly usedPorts: readonly number[]
}

interface ReservedRow {
  id: string
  location: string
  address: string | null
  port_ranges: { from: number; to: number }[]
}

const ATTEMPTS = 8

/** What is asked for of the place, in the order of its parameters. */
const asked = ({ nodeId, location, among }: Place) =>
  [
    ['id = $::uuid', nodeId],
    ['location = $', location],
    ['id = any($::uuid[])', among],
  ].filter(([, value]) => value !== undefined && value !== '') as [string, unknown][]

/** Parameters: MiB of memory, per cent of a core, MiB of disk, then what is asked for of the place. */
const fits = (place: Place): string => `
  ${asked(place)
    .map(([text], at) => text.replace('$', `$${at + 4}`))
    .concat('true')
    .join(' and ')}
  and not cordoned and credential_hash is not null
  and allocated_memory_mb + $1::int <= memory_mb - headroom_mb
  and allocated_cpu_percent + $2::int <= cpu_percent
  and allocated_disk_mb + $3::int <= disk_mb`

const reserve = (place: Place, held: '' | 'skip locked'): string => `
  update nodes set
    allocated_memory_mb = allocated_memory_mb + $1::int,
    allocated_cpu_percent = allocated_cpu_percent + $2::int,
    allocated_disk_mb = allocated_disk_mb + $3::int,
    allocated_servers = allocated_servers + 1,
    revision = revision + 1
  where id = (select id from nodes where ${fits(place)}
              order by memory_mb - headroom_mb - allocated_memory_mb desc, id limit 1
              for no key update ${held})
    and ${fits(place)}
  returning id, port_ranges, location, coalesce(address, remote_address) as address,
    set_config('lodge.reserved_node', id::text, true)`

/** Sent along with the reservation, and seeing the ports as they are once the node's row is held. */
const PORTS = `select coalesce(array_agg(host_port), '{}') as ports from server_ports
  where node_id = nullif(current_setting('lodge.reserved_node', true), '')::uuid`

/**
 * Takes room on the node with the most free memory (or on the named one) in the caller's transaction.
 * The row is held until it ends and the room is checked again after any wait, so that no number of
 * requests at once can oversell a node.
 */
export async function reserveNode(db: Db, place: Place, size: Size): Promise<ReservedNode> {
  const connection = connectionOf(db)
  const wanted = asked(place).map(([, value]) => value)
  const values = [size.memoryMb, size.cpuPercent, size.diskMb, ...wanted]
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // Nodes that others are placing on are passed over at first, so that placements need not queue.
    const text = reserve(place, attempt === 0 && !place.nodeId ? 'skip locked' : '')
    const [reserved, taken] = await Promise.all([
      connection.query<ReservedRow>({ text, values }),
      connection.query<{ ports: number[] }>({ name: 'reserved-ports', text: PORTS }),
    ])
    const [row] = reserved.rows
    if (row)
      return {
        nodeId: row.id,
        portRanges: row.port_ranges,
        location: row.location,
        address: row.address,
        usedPorts: taken.rows[0]?.ports ?? [],
      }
    // Every node with room was held, or somebody took its last room while we waited for it.
    const left = await connection.query({
      text: `select 1 from nodes where ${fits(place)} limit 1`,
      values,
    })
    if (left.rows.length === 0) break
  }
  throw await whyNoRoom(db, place, size)
}

/** Gives room back, or takes more of the same node; refuses what does not fit. Negative sizes give back. */
export async function resizeReservation(
  db: Db,
  nodeId: string,
  by: Size,
  servers: 0 | -1 = 0,
): Promise<void> {
  const { rows } = await db.execute<{ id: string }>(sql`
    update nodes set
      allocated_memory_mb = allocated_memory_mb + ${by.memoryMb},
      allocated_cpu_percent = allocated_cpu_percent + ${by.cpuPercent},
      allocated_disk_mb = allocated_disk_mb + ${by.diskMb},
      allocated_servers = allocated_servers + ${servers}::int,
      revision = revision + 1
    where id = ${nodeId}::uuid
      and (${by.memoryMb}::int <= 0 or allocated_memory_mb + ${by.memoryMb}::int <= memory_mb - headroom_mb)
      and (${by.cpuPercent}::int <= 0 or allocated_cpu_percent + ${by.cpuPercent}::int <= cpu_percent)
      and (${by.diskMb}::int <= 0 or allocated_disk_mb + ${by.diskMb}::int <= disk_mb)
    returning id`)
  if (rows.length === 0)
    throw new Problem(
      'no_capacity',
      'The node has no room for this size: choose a smaller one or move the server',
    )
}

async function whyNoRoom(db: Db, place: Place, size: Size): Promise<Problem> {
  const { rows } = await db.execute<{
    name: string
    cordoned: boolean
    enrolled: boolean
    memory: number
    cpu: number
    disk: number
  }>(sql`
    select name, cordoned, credential_hash is not null as enrolled,
      memory_mb - headroom_mb - allocated_memory_mb as memory,
      cpu_percent - allocated_cpu_percent as cpu, disk_mb - allocated_disk_mb as disk
    from nodes where ${place.nodeId ? sql`id = ${place.nodeId}::uuid` : sql`true`}
      and ${place.location ? sql`location = ${place.location}` : sql`true`}
      and ${place.among ? sql`id = any(${sql.param([...place.among])}::uuid[])` : sql`true`}
    order by memory desc limit 20`)
  if (rows.length === 0) {
    const where = place.nodeId
      ? 'There is no such node'
      : place.location
        ? `There is no node in ${place.location}`
        : 'There is no node yet'
    return new Problem('no_capacity', `${where}: add one first`)
  }
  const reasons = rows.map((row) => {
    if (!row.enrolled) return `${row.name} has not joined yet`
    if (row.cordoned) return `${row.name} takes no new servers`
    const lacks = [
      row.memory < size.memoryMb && `${Math.max(0, row.memory)} MiB of memory`,
      row.cpu < size.cpuPercent && `${Math.max(0, row.cpu)} % CPU`,
      row.disk < size.diskMb && `${Math.max(0, row.disk)} MiB of disk`,
    ].filter(Boolean)
    return `${row.name} has only ${lacks.join(', ')} free`
  })
  return new Problem(
    'no_capacity',
    `No node has room for ${size.memoryMb} MiB of memory, ${size.cpuPercent} % CPU and ${size.diskMb} MiB of disk: ${reasons.join('; ')}`,
  )
}
