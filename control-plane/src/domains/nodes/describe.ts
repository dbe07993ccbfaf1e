import type { Node, NodeState } from '@lodge/shared/nodes.ts'
import { type SQL, sql } from 'drizzle-orm'
import { type NodeRow, nodes } from './tables.ts'
import { describeVirtualization } from './virtualization.ts'

/** After three missed heartbeats a node counts as silent. */
export const SILENT_SECONDS = 16

export const isOnline = (
  row: Pick<NodeRow, 'sessionId' | 'lastSeenAt'>,
  now = new Date(),
): boolean =>
  row.sessionId !== null &&
  row.lastSeenAt !== null &&
  now.getTime() - row.lastSeenAt.getTime() < SILENT_SECONDS * 1000

/** The same by the clock of the database, which is also the one that wrote it down. */
export const nodeIsOnline: SQL<boolean> = sql`(${nodes.sessionId} is not null and
  coalesce(${nodes.lastSeenAt} > statement_timestamp() - ${sql.raw(`interval '${SILENT_SECONDS} seconds'`)}, false))`

function stateOf(row: NodeRow): NodeState {
  if (row.credentialHash === null) return 'enrolling'
  if (!isOnline(row)) return 'offline'
  return row.cordoned ? 'cordoned' : 'online'
}

export function describeNode(row: NodeRow): Node {
  return {
    id: row.id,
    name: row.name,
    location: row.location,
    address: row.address ?? row.remoteAddress,
    state: stateOf(row),
    cordoned: row.cordoned,
    memoryMb: row.memoryMb,
    cpuPercent: row.cpuPercent,
    diskMb: row.diskMb,
    headroomMb: row.headroomMb,
    allocated: {
      memoryMb: row.allocatedMemoryMb,
      cpuPercent: row.allocatedCpuPercent,
      diskMb: row.allocatedDiskMb,
      servers: row.allocatedServers,
    },
    usage: row.usage ?? null,
    portRanges: row.portRanges,
    agentVersion: row.agentVersion,
    capabilities: row.capabilities,
    preflight: row.preflight,
    virtualization: describeVirtualization(row),
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    connectedSince: row.connectedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}
