import type { Engine } from '../engine/client.ts'

export interface EngineFigures {
  readonly cpuMicroseconds: number
  readonly memoryBytes: number
  readonly received: number
  readonly sent: number
}

/**
 * A container's statistics from the engine API, for an agent that itself runs in a container and
 * cannot see the kernel's files. More expensive than reading those.
 */
export async function engineFigures(engine: Engine, containerId: string): Promise<EngineFigures> {
  const container = engine.docker.getContainer(containerId)
  const stats = await engine.call(() => container.stats({ stream: false, 'one-shot': true }))
  const detail = stats.memory_stats.stats
  const cache = detail?.total_inactive_file ?? detail?.inactive_file ?? 0
  const networks = Object.values(stats.networks ?? {})
  return {
    cpuMicroseconds: stats.cpu_stats.cpu_usage.total_usage / 1000,
    memoryBytes: Math.max(0, (stats.memory_stats.usage ?? 0) - cache),
    received: networks.reduce((sum, network) => sum + network.rx_bytes, 0),
    sent: networks.reduce((sum, network) => sum + network.tx_bytes, 0),
  }
}
