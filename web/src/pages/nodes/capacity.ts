import type { CapacityField, Node } from '@lodge/shared/nodes.ts'
import { MIB } from '@lodge/shared/units.ts'
import { formatBytes } from '../../ui/data/numbers.ts'
import { t } from './words.ts'

/** One resource of a node, all amounts in one unit. */
export interface Capacity {
  readonly field: Exclude<CapacityField, 'headroomMb'>
  readonly label: string
  /** What the machine has; null until its agent has reported it. */
  readonly physical: number | null
  /** What servers may be allocated together, without the reserve. */
  readonly limit: number
  readonly allocated: number
  /** Current usage of the whole machine; null when unknown. */
  readonly used: number | null
  readonly write: (amount: number) => string
  /** Set by an operator instead of detected. */
  readonly set: boolean
}

const cores = (percent: number): string => {
  const count = Math.round(percent) / 100
  return t.cores({ count: Number(count.toFixed(count < 10 ? 1 : 0)) })
}

/** Memory, processor and disk of a node. */
export function capacitiesOf(node: Node): readonly Capacity[] {
  const { usage, allocated, detected, followed } = node
  return [
    {
      field: 'memoryMb',
      label: t.memory,
      physical: usage?.memoryTotalBytes ?? (detected && detected.memoryMb * MIB),
      limit: Math.max(0, node.memoryMb - node.headroomMb) * MIB,
      allocated: allocated.memoryMb * MIB,
      used: usage?.memoryUsedBytes ?? null,
      write: formatBytes,
      set: !followed.includes('memoryMb'),
    },
    {
      field: 'cpuPercent',
      label: t.cpu,
      physical: usage ? usage.cpuCores * 100 : (detected?.cpuPercent ?? null),
      limit: node.cpuPercent,
      allocated: allocated.cpuPercent,
      used: usage?.cpuPercent ?? null,
      write: cores,
      set: !followed.includes('cpuPercent'),
    },
    {
      field: 'diskMb',
      label: t.disk,
      physical: usage?.diskTotalBytes ?? null,
      limit: node.diskMb * MIB,
      allocated: allocated.diskMb * MIB,
      used: usage?.diskUsedBytes ?? null,
      write: formatBytes,
      set: !followed.includes('diskMb'),
    },
  ]
}

/** The amount at the full length of a bar, so that everything fits. */
export const scaleOf = ({ physical, limit, allocated }: Capacity): number =>
  Math.max(physical ?? 0, limit, allocated)

/**
 * The smaller of the limit and the machine: the position of the mark on the bar. Undefined if they
 * are equal.
 */
export function markOf({ physical, limit }: Capacity): number | undefined {
  if (physical === null || physical === limit) return undefined
  return Math.min(physical, limit)
}

/** Explains the marks on bars in a sentence; undefined when there are none. */
export function marksInWords(capacities: readonly Capacity[]): string | undefined {
  const marked = capacities.filter((capacity) => markOf(capacity) !== undefined)
  const over = marked.filter((capacity) => overcommitOf(capacity) !== undefined).length
  if (marked.length === 0) return undefined
  if (over === 0) return t.markOfLimit
  if (over === marked.length) return t.markOfMachine
  return t.markOfLess
}

/** A share in whole percent; 0 if the total is 0. */
export const shareOf = (amount: number, of: number): number =>
  of > 0 ? Math.round((amount / of) * 100) : 0

/** The limit as a percentage of the machine, when an operator has set it higher. */
export function overcommitOf({ physical, limit }: Capacity): number | undefined {
  if (physical === null || physical === 0 || limit <= physical) return undefined
  return shareOf(limit, physical)
}
