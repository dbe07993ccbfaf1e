import type { Server, ServerStatus } from '@lodge/shared/servers.ts'
import { formatBytes, formatMib, MIB } from '@lodge/shared/units.ts'

/** One metric of a server against its limit; `value` is null while unknown. */
export interface Use {
  readonly label: string
  readonly value: number | null
  readonly of: number
  readonly text: string
  /** How the figure was measured, if unusual. */
  readonly note?: string
}

/** For virtual machines whose system has no driver that reports it. */
const MEMORY_OF_NODE = 'As the node counts it: the guest does not say what it uses'

const DOWN: readonly ServerStatus[] = [
  'stopped',
  'suspended',
  'deletion_scheduled',
  'crashed',
  'ended',
]
const alive = (server: Server): Server['usage'] =>
  DOWN.includes(server.status) ? null : server.usage

export function cpuUse(server: Server): Use {
  const used = alive(server)?.cpuPercent ?? null
  const text = `${used === null ? '–' : Math.round(used)} of ${server.cpuPercent}%`
  return { label: 'CPU', value: used, of: server.cpuPercent, text }
}

export function memoryUse(server: Server): Use {
  const used = alive(server)?.memoryBytes ?? null
  const text = `${used === null ? '–' : formatBytes(used)} of ${formatMib(server.memoryMb)}`
  const use = { value: used, of: server.memoryMb * MIB, text }
  if (!server.usage?.memoryOfNode) return { label: 'Memory', ...use }
  return { label: 'Memory on the node', ...use, note: MEMORY_OF_NODE }
}

export function diskUse(server: Server): Use {
  const used = server.usage?.diskBytes ?? null
  const text = `${used === null ? '–' : formatBytes(used)} of ${formatMib(server.diskMb)}`
  return { label: 'Disk', value: used, of: server.diskMb * MIB, text }
}

/** The address for players and programs; null without one. */
export const addressOf = (server: Server): string | null =>
  server.address === null || server.port === null ? null : `${server.address}:${server.port}`
