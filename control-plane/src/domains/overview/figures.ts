import { type Family, gauge, type Labels, map } from '../../figures/family.ts'
import type { Figures } from '../../figures/figures.ts'
import { isOnline } from '../nodes/index.ts'
import { countServers, type FleetNode, listFleetNodes, type ServerCount } from './counts.ts'

const MIB = 1_048_576

/** Nodes with their capacity, and how many servers they have. */
export const fleetFigures: Figures = {
  async installation({ db }) {
    const nodes = await listFleetNodes(db)
    const servers = await countServers(db, nodes)
    return () => familiesOf(nodes, servers)
  },
}

/** Nodes are labelled by id: names change and may reveal more than they should. */
function familiesOf(nodes: readonly FleetNode[], servers: readonly ServerCount[]): Family[] {
  const joined = nodes.filter((node) => node.enrolled)
  const measured = joined.flatMap(({ id, usage }) => (usage ? [{ id, usage }] : []))
  const perNode = (name: string, help: string, value: (node: FleetNode) => number): Family =>
    gauge(
      name,
      help,
      map(joined, (node) => [{ node: node.id }, value(node)]),
    )
  const perUsage = (
    name: string,
    help: string,
    value: (usage: NonNullable<FleetNode['usage']>) => number,
  ): Family =>
    gauge(
      name,
      help,
      map(measured, ({ id, usage }) => [{ node: id }, value(usage)]),
    )
  return [
    gauge(
      'lodge_servers',
      'Servers by node and by the state that a person sees.',
      map(servers, ({ nodeId, kind, status, count }) => [
        { node: nodeId, state: status, kind },
        count,
      ]),
    ),
    gauge(
      'lodge_node_info',
      'Location of each node; always 1.',
      map(joined, (node) => [{ node: node.id, location: node.location }, 1]),
    ),
    perNode('lodge_node_up', 'Whether the agent of the node is connected.', (node) =>
      isOnline(node) ? 1 : 0,
    ),
    perNode('lodge_node_cordoned', 'Whether the node takes no new servers.', (node) =>
      node.cordoned ? 1 : 0,
    ),
    gauge(
      'lodge_node_heartbeat_timestamp_seconds',
      'When the node was heard last.',
      map(
        joined.filter((node) => node.lastSeenAt),
        (node) => [{ node: node.id }, (node.lastSeenAt?.getTime() ?? 0) / 1000],
      ),
    ),
    perNode(
      'lodge_node_memory_offered_bytes',
      'Memory that can be allocated to servers.',
      (node) => (node.memoryMb - node.headroomMb) * MIB,
    ),
    perNode(
      'lodge_node_memory_allocated_bytes',
      'Memory allocated to servers.',
      (node) => node.allocatedMemoryMb * MIB,
    ),
    perUsage(
      'lodge_node_memory_total_bytes',
      'Memory of the machine.',
      (usage) => usage.memoryTotalBytes,
    ),
    perUsage(
      'lodge_node_memory_used_bytes',
      'Memory in use on the machine.',
      (usage) => usage.memoryUsedBytes,
    ),
    perNode(
      'lodge_node_disk_offered_bytes',
      'Disk that can be allocated to servers.',
      (node) => node.diskMb * MIB,
    ),
    perNode(
      'lodge_node_disk_allocated_bytes',
      'Disk allocated to servers.',
      (node) => node.allocatedDiskMb * MIB,
    ),
    perUsage(
      'lodge_node_disk_total_bytes',
      'Disk of the machine.',
      (usage) => usage.diskTotalBytes,
    ),
    perUsage(
      'lodge_node_disk_used_bytes',
      'Disk in use on the machine.',
      (usage) => usage.diskUsedBytes,
    ),
    gauge(
      'lodge_node_cpu_cores',
      'Cores: of the machine, offered to servers, allocated to them, in use.',
      coresOf(joined),
    ),
  ]
}

function* coresOf(nodes: readonly FleetNode[]): Generator<readonly [Labels, number]> {
  for (const node of nodes) {
    yield [{ node: node.id, kind: 'offered' }, node.cpuPercent / 100]
    yield [{ node: node.id, kind: 'allocated' }, node.allocatedCpuPercent / 100]
    if (!node.usage) continue
    yield [{ node: node.id, kind: 'total' }, node.usage.cpuCores]
    yield [{ node: node.id, kind: 'used' }, node.usage.cpuPercent / 100]
  }
}
