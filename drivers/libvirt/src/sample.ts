import type { WorkloadSample } from '@lodge/driver/driver.ts'
import { imageUsage } from './disks/image-usage.ts'
import { isActive } from './domain/state.ts'
import type { Parts } from './parts.ts'
import type { DomainStats } from './port/calls.ts'
import type { StatsValue } from './port/memory.ts'

const KIB = 1024

/** Samples all machines with one call; omits what a busy machine cannot report at once. */
export function sampler(parts: Parts) {
  const { domains, port } = parts
  const bytesInPool = imageUsage(parts)
  const before = new Map<string, { at: number; cpu: number }>()

  async function measure(stats: DomainStats): Promise<WorkloadSample | null> {
    const { uuid, values } = stats
    if (!isActive(Number(values['state.state'] ?? 0))) {
      before.delete(uuid)
      return null
    }
    const serverId = domains.serverOf(uuid) ?? (await domains.byUuid(uuid))?.record.serverId
    if (serverId === undefined) return null
    const at = Date.now()
    const cpu = number(values['cpu.time']) ?? 0
    const last = before.get(uuid)
    before.set(uuid, { at, cpu })
    const spentMs = last ? Math.max(1, at - last.at) : 0
    const memory = memoryOf(values)
    if (memory === null) return null
    return {
      serverId,
      at: new Date(at),
      cpuPercent: last ? Math.max(0, (cpu - last.cpu) / 1e6 / spentMs) * 100 : 0,
      ...memory,
      networkRxBytes: number(values['net.0.rx.bytes']) ?? 0,
      networkTxBytes: number(values['net.0.tx.bytes']) ?? 0,
      diskBytes: bytesInPool(serverId) ?? diskBytes(values),
    }
  }

  return async (): Promise<readonly WorkloadSample[]> => {
    const samples = await Promise.all((await port.call('allStats')).map(measure))
    return samples.filter((sample) => sample !== null)
  }
}

type Values = Readonly<Record<string, StatsValue>>

/**
 * Memory use as the guest's balloon driver reports it. Without a driver, the resident size of QEMU,
 * capped at the guest's memory: the rest of the process, such as the screen, does not belong to the
 * machine. Null while a machine starts, when libvirt knows neither.
 */
export function memoryOf(
  values: Values,
): Pick<WorkloadSample, 'memoryBytes' | 'memoryOfNode'> | null {
  const available = number(values['balloon.available'])
  const free = number(values['balloon.usable']) ?? number(values['balloon.unused'])
  if (available !== null && free !== null)
    return { memoryBytes: Math.max(0, available - free) * KIB, memoryOfNode: false }
  const taken = number(values['balloon.rss'])
  if (taken === null) return null
  const size = number(values['balloon.current']) ?? number(values['balloon.maximum']) ?? 0
  return { memoryBytes: Math.min(taken, size) * KIB, memoryOfNode: true }
}

/** Space on the node's disk that the writable disks use. */
function diskBytes(values: Values): number {
  let sum = 0
  for (let index = 0; `block.${index}.name` in values; index += 1) {
    const path = String(values[`block.${index}.path`] ?? '')
    if (path.endsWith('.qcow2')) sum += number(values[`block.${index}.physical`]) ?? 0
  }
  return sum
}

function number(value: StatsValue | undefined): number | null {
  return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : null
}
