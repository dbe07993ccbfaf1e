import type { HardwareReport } from '@lodge/shared/hardware.ts'
import { CAPACITY_BOUNDS, type CapacityField, type EditNode } from '@lodge/shared/nodes.ts'
import type { NodeRow } from './tables.ts'

const MIB = 1024 * 1024
/** Share of the memory that is left to the system and the agent. */
const HEADROOM_SHARE = 0.05
/** The same on the machine of the control plane, whose database needs memory too. */
const LOCAL_HEADROOM_SHARE = 0.2
/** Share of the data file system for servers: the rest is for the system, images and logs. */
const DISK_SHARE = 0.9

export const CAPACITY_FIELDS = ['memoryMb', 'cpuPercent', 'diskMb', 'headroomMb'] as const

export interface Detected {
  readonly memoryMb: number
  readonly cpuPercent: number
  readonly diskMb: number
}

const headroomFor = (memoryMb: number, local: boolean): number =>
  Math.floor(memoryMb * (local ? LOCAL_HEADROOM_SHARE : HEADROOM_SHARE))

/**
 * What servers may use of a machine, clamped to the permitted range because agents are not trusted;
 * undefined if the agent reports nothing usable.
 */
export function detectedOf(machine: {
  readonly memoryBytes: number
  readonly cpuCores: number
  readonly diskBytes: number
}): Detected | undefined {
  const { memoryBytes, cpuCores, diskBytes } = machine
  if (![memoryBytes, cpuCores, diskBytes].every((size) => Number.isFinite(size) && size > 0))
    return undefined
  return {
    memoryMb: within('memoryMb', memoryBytes / MIB),
    cpuPercent: within('cpuPercent', cpuCores * 100),
    diskMb: within('diskMb', (diskBytes / MIB) * DISK_SHARE),
  }
}

export const detectedIn = ({ cpu, memoryBytes, data }: HardwareReport): Detected | undefined =>
  detectedOf({ memoryBytes, cpuCores: cpu.threads, diskBytes: data.sizeBytes })

const within = (field: keyof typeof CAPACITY_BOUNDS, size: number): number => {
  const { least, most } = CAPACITY_BOUNDS[field]
  return Math.min(most, Math.max(least, Math.floor(size)))
}

type Capacity = Pick<
  NodeRow,
  | CapacityField
  | 'followed'
  | 'local'
  | 'detectedMemoryMb'
  | 'detectedCpuPercent'
  | 'detectedDiskMb'
>

/** A node's capacity after a change: null follows the agent's report, a number is set. */
export function changedCapacity(
  present: Capacity,
  change: Pick<EditNode, CapacityField>,
): Pick<Capacity, CapacityField | 'followed'> {
  const followed = CAPACITY_FIELDS.filter((field) =>
    change[field] === undefined ? present.followed.includes(field) : change[field] === null,
  )
  const detected: Readonly<Partial<Record<CapacityField, number | null>>> = {
    memoryMb: present.detectedMemoryMb,
    cpuPercent: present.detectedCpuPercent,
    diskMb: present.detectedDiskMb,
  }
  const sizeOf = (field: CapacityField): number =>
    change[field] ?? (followed.includes(field) ? detected[field] : null) ?? present[field]
  const memoryMb = sizeOf('memoryMb')
  return {
    followed,
    memoryMb,
    cpuPercent: sizeOf('cpuPercent'),
    diskMb: sizeOf('diskMb'),
    headroomMb: followed.includes('headroomMb')
      ? headroomFor(memoryMb, present.local)
      : sizeOf('headroomMb'),
  }
}

/** The capacity of a node whose agent has not reported anything yet. */
export const UNKNOWN: Omit<Capacity, 'local'> = {
  memoryMb: 0,
  cpuPercent: 0,
  diskMb: 0,
  headroomMb: 0,
  followed: [...CAPACITY_FIELDS],
  detectedMemoryMb: null,
  detectedCpuPercent: null,
  detectedDiskMb: null,
}

/**
 * SQL assignments that let rows `n` of nodes follow what `given` reports in "memoryMb",
 * "cpuPercent" and "diskMb"; null reports nothing. What an operator has set stays.
 */
export const followDetected = (given: string): string => {
  const size = (field: string, column: string) =>
    `case when '${field}' = any(n.followed) then coalesce(${given}."${field}", n.${column})
      else n.${column} end`
  const memory = size('memoryMb', 'memory_mb')
  return `
    detected_memory_mb = coalesce(${given}."memoryMb", n.detected_memory_mb),
    detected_cpu_percent = coalesce(${given}."cpuPercent", n.detected_cpu_percent),
    detected_disk_mb = coalesce(${given}."diskMb", n.detected_disk_mb),
    memory_mb = ${memory},
    cpu_percent = ${size('cpuPercent', 'cpu_percent')},
    disk_mb = ${size('diskMb', 'disk_mb')},
    headroom_mb = case when 'headroomMb' = any(n.followed)
      then floor((${memory}) * case when n.local then ${LOCAL_HEADROOM_SHARE} else ${HEADROOM_SHARE} end)::int
      else n.headroom_mb end`
}
