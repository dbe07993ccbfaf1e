import { readFile, statfs } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import type { NodeSample } from '@lodge/proto/server.ts'

/**
 * Samples the machine. CPU usage covers the time since the previous call, in percent of one core.
 */
export class NodeSampler {
  readonly #dataFolder: string
  #busy = 0
  #total = 0

  constructor(dataFolder: string) {
    this.#dataFolder = dataFolder
  }

  async sample(at: Date): Promise<NodeSample> {
    const [cpuPercent, memory, disk] = await Promise.all([
      this.#cpu(),
      memoryBytes(),
      statfs(this.#dataFolder).catch(() => undefined),
    ])
    const diskTotalBytes = disk ? disk.blocks * disk.bsize : 0
    return {
      at,
      cpuPercent,
      memoryUsedBytes: memory.total - memory.available,
      memoryTotalBytes: memory.total,
      diskUsedBytes: disk ? diskTotalBytes - disk.bavail * disk.bsize : 0,
      diskTotalBytes,
      cpuCores: availableParallelism(),
    }
  }

  async #cpu(): Promise<number> {
    const text = await readFile('/proc/stat', 'utf8')
    const fields = (text.slice(0, text.indexOf('\n')).match(/\d+/g) ?? []).map(Number).slice(0, 8)
    const total = fields.reduce((sum, ticks) => sum + ticks, 0)
    // Idle and iowait.
    const busy = total - (fields[3] ?? 0) - (fields[4] ?? 0)
    const share = total > this.#total ? (busy - this.#busy) / (total - this.#total) : 0
    const first = this.#total === 0
    this.#busy = busy
    this.#total = total
    return first ? 0 : Math.max(0, share) * 100 * availableParallelism()
  }
}

/** Total and available memory of the machine. */
export async function memoryBytes(): Promise<{ total: number; available: number }> {
  const text = await readFile('/proc/meminfo', 'utf8')
  const of = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) * 1024
  return { total: of('MemTotal'), available: of('MemAvailable') }
}
