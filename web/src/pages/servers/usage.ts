import type { Server, ServerStatus } from '@lodge/shared/servers.ts'
import { formatCpu, MIB } from '@lodge/shared/units.ts'
import { formatBytes } from '../../ui/data/numbers.ts'
import { t } from './words.ts'

/** One metric of a server against its limit; `value` is null while unknown. */
export interface Use {
  readonly label: string
  readonly value: number | null
  readonly of: number
  readonly text: string
  /** How the figure was measured, if unusual. */
  readonly note?: string
}

const DOWN: readonly ServerStatus[] = [
  'stopped',
  'suspended',
  'deletion_scheduled',
  'crashed',
  'ended',
]
/** The current figures; nothing for a server whose node is silent. */
const alive = (server: Server): Server['usage'] =>
  DOWN.includes(server.status) || !server.nodeOnline ? null : server.usage

/** Both figures with their unit. */
const usedOf = (used: number | null, limit: number, write: (amount: number) => string): string =>
  t.usedOf({ used: used === null ? '–' : write(used), limit: write(limit) })

export function cpuUse(server: Server): Use {
  const used = alive(server)?.cpuPercent ?? null
  const text = usedOf(used, server.cpuPercent, formatCpu)
  return { label: t.cpu, value: used, of: server.cpuPercent, text }
}

export function memoryUse(server: Server): Use {
  const used = alive(server)?.memoryBytes ?? null
  const of = server.memoryMb * MIB
  const use = { value: used, of, text: usedOf(used, of, formatBytes) }
  if (!server.usage?.memoryOfNode) return { label: t.memory, ...use }
  // The system of a virtual machine may have no driver that reports it.
  return { label: t.memoryOnNode, ...use, note: t.memoryOnNodeNote }
}

export function diskUse(server: Server): Use {
  const used = server.usage?.diskBytes ?? null
  const of = server.diskMb * MIB
  return { label: t.disk, value: used, of, text: usedOf(used, of, formatBytes) }
}

/** The address for players and programs; null without one. */
export const addressOf = (server: Server): string | null =>
  server.address === null || server.port === null ? null : `${server.address}:${server.port}`
