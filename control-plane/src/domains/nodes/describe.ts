import type { Node, NodeState } from '@lodge/shared/nodes.ts'
import { SILENT_SECONDS } from '../../fleet/online.ts'
import { describeSftp } from './sftp.ts'
import type { NodeRow } from './tables.ts'
import { describeTransfers } from './transfers.ts'
import { describeVirtualization } from './virtualization.ts'

export const isOnline = (
  row: Pick<NodeRow, 'sessionId' | 'lastSeenAt'>,
  now = new Date(),
): boolean =>
  row.sessionId !== null &&
  row.lastSeenAt !== null &&
  now.getTime() - row.lastSeenAt.getTime() < SILENT_SECONDS * 1000

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
    cordon: cordonOf(row),
    memoryMb: row.memoryMb,
    cpuPercent: row.cpuPercent,
    diskMb: row.diskMb,
    headroomMb: row.headroomMb,
    followed: row.followed,
    detected: detectedOf(row),
    allocated: {
      memoryMb: row.allocatedMemoryMb,
      cpuPercent: row.allocatedCpuPercent,
      diskMb: row.allocatedDiskMb,
      servers: row.allocatedServers,
    },
    usage: row.usage ?? null,
    portRanges: row.portRanges,
    openNetworks: row.openNetworks,
    sftp: describeSftp(row),
    transfers: describeTransfers(row),
    storages: row.hardware?.storages ?? [],
    defaultStorageId: row.defaultStorageId,
    agentVersion: row.agentVersion,
    agentOutdated: row.agentOutdated,
    capabilities: row.capabilities,
    preflight: row.preflight,
    virtualization: describeVirtualization(row),
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    connectedSince: row.connectedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}

function cordonOf({ cordoned, cordonedBecause: because, cordonedAt }: NodeRow): Node['cordon'] {
  if (!cordoned || because === null || cordonedAt === null) return null
  return { because, since: cordonedAt.toISOString() }
}

function detectedOf({ detectedMemoryMb, detectedCpuPercent, detectedDiskMb }: NodeRow) {
  if (detectedMemoryMb === null || detectedCpuPercent === null || detectedDiskMb === null)
    return null
  return { memoryMb: detectedMemoryMb, cpuPercent: detectedCpuPercent, diskMb: detectedDiskMb }
}
