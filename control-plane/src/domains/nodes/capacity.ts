import { formatCpu } from '@lodge/shared/units.ts'
import { sql } from 'drizzle-orm'
import { connectionOf, type Db } from '../../db/database.ts'
import { Problem } from '../../problem.ts'
import { type Closed, closedNodes, takesNew, type Workload } from './placement.ts'

/** Resources a server takes on its node: MiB and per cent of a core. */
export interface Size {
  readonly memoryMb: number
  readonly cpuPercent: number
  readonly diskMb: number
}

export interface Place {
  readonly workload: Workload
  readonly nodeId?: string | undefined
  readonly location?: string | undefined
  /** Restricts the choice to these locations. */
  readonly locations?: readonly string[] | undefined
  /** Restricts the choice to these nodes. */
  readonly among?: readonly string[] | undefined
  /** For requests of customers, whose problems must not name nodes. */
  readonly unnamed?: boolean
}

/** The chosen node, whose row is locked until the transaction ends. */
export interface ReservedNode {
  readonly nodeId: string
  readonly location: string
  readonly address: string | null
  readonly portRanges: { from: number; to: number }[]
  /** The shared storage for files and disks of new servers that name none; null: its own disk. */
  readonly defaultStorageId: string | null
  /** Host ports in use on the node, unordered. */
  readonly usedPorts: readonly number[]
}

interface ReservedRow {
  id: string
  location: string
  address: string | null
  port_ranges: { from: number; to: number }[]
  default_storage_id: string | null
}

const ATTEMPTS = 8

/** The parameters of a place, in order. */
const asked = ({ nodeId, location, locations, among }: Place) =>
  [
    ['id = $::uuid', nodeId],
    ['location = $', location],
    ['location = any($::text[])', locations],
    ['id = any($::uuid[])', among],
  ].filter(([, value]) => value !== undefined && value !== '') as [string, unknown][]

/** Parameters: MiB of memory, per cent of a core, MiB of disk, then those of the place. */
const fits = (place: Place): string => `
  ${asked(place)
    .map(([text], at) => text.replace('$', `$${at + 4}`))
    .concat('true')
    .join(' and ')}
  and ${takesNew(place.workload)}
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
  returning id, port_ranges, default_storage_id, location, coalesce(address, remote_address) as address,
    set_config('lodge.reserved_node', id::text, true)`

/**
 * Reserves capacity on the node with the most free memory, or on the named one, in the caller's
 * transaction. The node's row is locked until commit, and capacity is checked again after any wait,
 * so concurrent requests cannot oversell a node.
 * @param usedPorts selects `ports`, those in use on the node named by the setting
 * `lodge.reserved_node`; sent along, so it reads them after the row is locked
 */
export async function reserveNode(
  db: Db,
  place: Place,
  size: Size,
  usedPorts?: string,
): Promise<ReservedNode> {
  const connection = connectionOf(db)
  const wanted = asked(place).map(([, value]) => value)
  const values = [size.memoryMb, size.cpuPercent, size.diskMb, ...wanted]
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // At first, skip nodes that other placements have locked, so that placements do not queue.
    const text = reserve(place, attempt === 0 && !place.nodeId ? 'skip locked' : '')
    const [reserved, taken] = await Promise.all([
      connection.query<ReservedRow>({ text, values }),
      usedPorts &&
        connection.query<{ ports: number[] }>({ name: 'reserved-ports', text: usedPorts }),
    ])
    const [row] = reserved.rows
    if (row)
      return {
        nodeId: row.id,
        portRanges: row.port_ranges,
        defaultStorageId: row.default_storage_id,
        location: row.location,
        address: row.address,
        usedPorts: taken ? (taken.rows[0]?.ports ?? []) : [],
      }
    // Every node with capacity was locked, or another request took the last capacity while we
    // waited.
    const left = await connection.query({
      text: `select 1 from nodes where ${fits(place)} limit 1`,
      values,
    })
    if (left.rows.length > 0) continue
    const refusal = await whyNoRoom(db, place, size)
    if (refusal) throw refusal
  }
  throw new Problem(
    'no_capacity',
    'The nodes are too busy to create a server now: try again in a moment',
    {
      retryAfterSeconds: 5,
    },
  )
}

/**
 * Returns capacity to the node or takes more of it; refuses what does not fit. Negative sizes
 * return capacity.
 */
export async function resizeReservation(
  db: Db,
  nodeId: string,
  by: Size,
  servers: 0 | -1 = 0,
): Promise<void> {
  const { rows } = await db.execute<{ id: string }>(sql`${resized(nodeId, by, servers)}
      and (${by.memoryMb}::int <= 0 or allocated_memory_mb + ${by.memoryMb}::int <= memory_mb - headroom_mb)
      and (${by.cpuPercent}::int <= 0 or allocated_cpu_percent + ${by.cpuPercent}::int <= cpu_percent)
      and (${by.diskMb}::int <= 0 or allocated_disk_mb + ${by.diskMb}::int <= disk_mb)
    returning id`)
  if (rows.length === 0)
    throw new Problem(
      'no_capacity',
      'The node has not enough capacity for this size: choose a smaller one, or move the server',
    )
}

/** The same for a server that has to be there, whether it fits or not. */
export async function resizeBeyondCapacity(db: Db, nodeId: string, by: Size): Promise<void> {
  await db.execute(resized(nodeId, by, 0))
}

const resized = (nodeId: string, by: Size, servers: 0 | -1) => sql`
    update nodes set
      allocated_memory_mb = allocated_memory_mb + ${by.memoryMb},
      allocated_cpu_percent = allocated_cpu_percent + ${by.cpuPercent},
      allocated_disk_mb = allocated_disk_mb + ${by.diskMb},
      allocated_servers = allocated_servers + ${servers}::int,
      revision = revision + 1
    where id = ${nodeId}::uuid`

/** Undefined if there is capacity after all by now. */
async function whyNoRoom(db: Db, place: Place, size: Size): Promise<Problem | undefined> {
  const wanted = asked(place)
  const { rows } = await connectionOf(db).query<{
    id: string
    name: string
    memory: number
    cpu: number
    disk: number
  }>({
    text: `select id, name, memory_mb - headroom_mb - allocated_memory_mb as memory,
        cpu_percent - allocated_cpu_percent as cpu, disk_mb - allocated_disk_mb as disk
      from nodes where ${wanted
        .map(([text], at) => text.replace('$', `$${at + 1}`))
        .concat('true')
        .join(' and ')}
      order by memory desc limit 20`,
    values: wanted.map(([, value]) => value),
  })
  const closed = await closedNodes(
    db,
    place.workload,
    rows.map(({ id }) => id),
  )
  if (rows.length > 0 && rows.every(({ id }) => closed.get(id)?.passes))
    return new Problem('node_unavailable', notConnected(place, closed), { retryAfterSeconds: 15 })
  const lacks = (row: (typeof rows)[number]) =>
    [
      row.memory < size.memoryMb && `${Math.max(0, row.memory)} MiB of memory`,
      row.cpu < size.cpuPercent && `${formatCpu(Math.max(0, row.cpu))} CPU`,
      row.disk < size.diskMb && `${Math.max(0, row.disk)} MiB of disk`,
    ].filter(Boolean)
  if (rows.some((row) => !closed.has(row.id) && lacks(row).length === 0)) return undefined
  if (place.unnamed) return new Problem('no_capacity', NO_ROOM_NOW)
  if (rows.length === 0) {
    const where = place.nodeId
      ? 'There is no such node'
      : place.location || place.locations
        ? `There is no node in ${place.location ?? place.locations?.join(', ')}`
        : 'There is no node yet'
    return new Problem('no_capacity', `${where}: add one first`)
  }
  const reasons = rows.map((row) => {
    const why = closed.get(row.id)?.why
    return why ?? `${row.name} has only ${lacks(row).join(', ')} free`
  })
  return new Problem(
    'no_capacity',
    `No node has room for ${size.memoryMb} MiB of memory, ${formatCpu(size.cpuPercent)} CPU and ${size.diskMb} MiB of disk: ${reasons.join('; ')}`,
  )
}

const NO_ROOM_NOW =
  'No node has room for this server now: choose a smaller size or another location, or ask your host'

const notConnected = (place: Place, closed: ReadonlyMap<string, Closed>): string => {
  if (place.unnamed) return 'No node is connected now: try again in a moment'
  const reasons = [...closed.values()].map(({ why }) => why)
  return `${reasons.join('; ')}: try again when it is back`
}
