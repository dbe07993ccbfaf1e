import type { Node } from '@lodge/shared/nodes.ts'
import { formatBytes, formatMib, MIB } from '@lodge/shared/units.ts'

/** One resource of a node: used now, allocated to servers, total. */
export interface Capacity {
  readonly label: string
  readonly value: number | null
  readonly behind: number
  readonly of: number
  readonly text: string
}

/** Memory, processor and disk of a node for its bars, which are scaled to the whole machine. */
export function capacitiesOf(node: Node): readonly Capacity[] {
  const { usage, allocated } = node
  const used = (text: string | undefined): string => (text === undefined ? '' : `${text} used, `)
  return [
    {
      label: 'Memory',
      value: usage?.memoryUsedBytes ?? null,
      behind: allocated.memoryMb * MIB,
      of: Math.max(node.memoryMb * MIB, usage?.memoryTotalBytes ?? 0),
      text: `${used(usage ? formatBytes(usage.memoryUsedBytes) : undefined)}${formatMib(allocated.memoryMb)} allocated of ${formatMib(node.memoryMb)}`,
    },
    {
      label: 'CPU',
      value: usage?.cpuPercent ?? null,
      behind: allocated.cpuPercent,
      of: Math.max(node.cpuPercent, (usage?.cpuCores ?? 0) * 100),
      text: `${used(usage ? `${Math.round(usage.cpuPercent)} %` : undefined)}${allocated.cpuPercent} % allocated of ${node.cpuPercent} %`,
    },
    {
      label: 'Disk for servers',
      value: null,
      behind: allocated.diskMb * MIB,
      of: node.diskMb * MIB,
      text: `${formatMib(allocated.diskMb)} allocated of ${formatMib(node.diskMb)}`,
    },
    // Covers the whole file system, with all other data on it, so it is not comparable with what is
    // allocated.
    ...(usage
      ? [
          {
            label: 'Disk of the machine',
            value: usage.diskUsedBytes,
            behind: 0,
            of: usage.diskTotalBytes,
            text: `${formatBytes(usage.diskUsedBytes)} used of ${formatBytes(usage.diskTotalBytes)}, ${formatBytes(Math.max(0, usage.diskTotalBytes - usage.diskUsedBytes))} free now`,
          },
        ]
      : []),
  ]
}
