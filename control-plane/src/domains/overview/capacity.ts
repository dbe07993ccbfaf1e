import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { isOnline } from '../nodes/index.ts'
import type { FleetNode } from './counts.ts'

/** MiB of memory, per cent of a core, MiB of disk. */
export type Sizes = readonly [memory: number, cpu: number, disk: number]

/** Capacity of a location: what its nodes offer, what is allocated, and actual usage. */
export interface LocationCapacity {
  location: string
  nodes: number
  nodesOnline: number
  memoryMb: number
  memoryAllocatedMb: number
  /** Null until a node of the location has reported. */
  memoryUsedMb: number | null
  headroomMb: number
  cpuPercent: number
  cpuAllocatedPercent: number
  diskMb: number
  diskAllocatedMb: number
  diskUsedMb: number | null
  /** Whether the servers of the fullest connected node would fit on the others; null without servers. */
  survivesLoss: { nodeId: string; nodeName: string; survives: boolean; homeless: number } | null
}

const MIB = 1_048_576
const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0)

export async function capacityOfLocations(
  db: Db,
  fleet: readonly FleetNode[],
): Promise<LocationCapacity[]> {
  const locations = [
    ...Map.groupBy(
      fleet.filter((node) => node.enrolled),
      (node) => node.location,
    ),
  ]
  const fullest = locations.map(([, nodes]) =>
    nodes
      .filter((node) => isOnline(node))
      .toSorted((a, b) => b.allocatedMemoryMb - a.allocatedMemoryMb)
      .at(0),
  )
  const sizes = await sizesOfServers(
    db,
    fullest.flatMap((node) => node?.id ?? []),
  )
  return locations
    .map(([location, nodes], at): LocationCapacity => {
      const reported = nodes.flatMap((node) => node.usage ?? [])
      const lost = fullest[at]
      const moving = lost ? (sizes.get(lost.id) ?? []) : []
      const homeless = withoutPlace(
        moving,
        nodes.filter((node) => node !== lost && isOnline(node) && !node.cordoned).map(freeOf),
      )
      return {
        location,
        nodes: nodes.length,
        nodesOnline: nodes.filter((node) => isOnline(node)).length,
        memoryMb: sum(nodes, (node) => node.memoryMb),
        memoryAllocatedMb: sum(nodes, (node) => node.allocatedMemoryMb),
        memoryUsedMb:
          reported.length > 0
            ? Math.round(sum(reported, (usage) => usage.memoryUsedBytes) / MIB)
            : null,
        headroomMb: sum(nodes, (node) => node.headroomMb),
        cpuPercent: sum(nodes, (node) => node.cpuPercent),
        cpuAllocatedPercent: sum(nodes, (node) => node.allocatedCpuPercent),
        diskMb: sum(nodes, (node) => node.diskMb),
        diskAllocatedMb: sum(nodes, (node) => node.allocatedDiskMb),
        diskUsedMb:
          reported.length > 0
            ? Math.round(sum(reported, (usage) => usage.diskUsedBytes) / MIB)
            : null,
        survivesLoss:
          lost && moving.length > 0
            ? { nodeId: lost.id, nodeName: lost.name, survives: homeless === 0, homeless }
            : null,
      }
    })
    .toSorted((a, b) => a.location.localeCompare(b.location))
}

const freeOf = (node: FleetNode): Sizes => [
  node.memoryMb - node.headroomMb - node.allocatedMemoryMb,
  node.cpuPercent - node.allocatedCpuPercent,
  node.diskMb - node.allocatedDiskMb,
]

/** How many servers do not fit, placing the largest first on the node with the most free memory. */
export function withoutPlace(servers: readonly Sizes[], free: readonly Sizes[]): number {
  const left = [...free]
  let homeless = 0
  for (const size of servers.toSorted((a, b) => b[0] - a[0])) {
    let best = -1
    for (const [at, room] of left.entries()) {
      if (size.some((needed, kind) => needed > (room[kind] ?? 0))) continue
      if (best < 0 || room[0] > (left[best]?.[0] ?? 0)) best = at
    }
    const room = left[best]
    if (room) left[best] = [room[0] - size[0], room[1] - size[1], room[2] - size[2]]
    else homeless++
  }
  return homeless
}

async function sizesOfServers(
  db: Db,
  nodeIds: readonly string[],
): Promise<ReadonlyMap<string, Sizes[]>> {
  const { rows } = await db.execute<{ node: string; sizes: Sizes[] }>(sql`
    select node_id as node, json_agg(json_build_array(memory_mb, cpu_percent, disk_mb)) as sizes
    from servers where node_id = any(${`{${nodeIds.join(',')}}`}::uuid[]) group by node_id`)
  return new Map(rows.map(({ node, sizes }) => [node, sizes]))
}
