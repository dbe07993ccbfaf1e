import type { Node } from '@lodge/shared/nodes.ts'
import { formatBytes, formatMib, MIB } from '@lodge/shared/units.ts'

/** One resource of a node: what is used of it now, what is promised to servers, what there is. */
export interface Capacity {
  readonly label: string
  readonly value: number | null
  readonly behind: number
  readonly of: number
  readonly text: string
}

/** Memory, processor and disk of a node for its bars, which are as long as the machine is large. */
export function capacitiesOf(node: Node): readonly Capacity[] {
  const { usage, allocated } = node
  const used = (text: string | undefined): string => (text === undefined ? '' : `${text} used, `)
  return [
    {
      label: 'Memory',
      value: usage?.memoryUsedBytes ?? null,
      behind: allocated.memoryMb * MIB,
      of: Math.max(node.memoryMb * MIB, usage?.memoryTotalBytes ?? 0),
      text: `${used(usage ? formatBytes(usage.memoryUsedBytes) : undefined)}${formatMib(allocated.memoryMb)} promised of ${formatMib(node.memoryMb)}`,
    },
    {
      label: 'CPU',
      value: usage?.cpuPercent ?? null,
      behind: allocated.cpuPercent,
      of: Math.max(node.cpuPercent, (usage?.cpuCores ?? 0) * 100),
      text: `${used(usage ? `${Math.round(usage.cpuPercent)} %` : undefined)}${allocated.cpuPercent} % promised of ${node.cpuPercent} %`,
    },
    {
      label: 'Disk',
      value: usage?.diskUsedBytes ?? null,
      behind: allocated.diskMb * MIB,
      of: Math.max(node.diskMb * MIB, usage?.diskTotalBytes ?? 0),
      text: `${used(usage ? formatBytes(usage.diskUsedBytes) : undefined)}${formatMib(allocated.diskMb)} promised of ${formatMib(node.diskMb)}`,
    },
  ]
}
