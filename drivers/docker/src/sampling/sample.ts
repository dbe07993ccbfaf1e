import type { WorkloadSample } from '@lodge/driver/driver.ts'
import type { ServerData } from '../data/server-data.ts'
import type { Engine } from '../engine/client.ts'
import { LABEL } from '../engine/names.ts'
import { type CgroupFiles, cgroupOf, cpuMicroseconds, memoryBytes, networkBytes } from './cgroup.ts'
import { type EngineFigures, engineFigures } from './engine-stats.ts'

const ONE_CONTAINER_MS = 3000

interface Watched {
  readonly pid: number
  readonly startedAt: number
  /** Null where the kernel's files are not visible; the engine is queried instead. */
  readonly files: CgroupFiles | null
  last: { at: number; cpu: number } | null
}

/**
 * Samples running servers from the kernel's files, in parallel. A server that does not answer in
 * time is left out of this round and does not delay the others.
 */
export function sampler(engine: Engine, scope: string, data: ServerData) {
  const watched = new Map<string, Watched>()

  async function watch(containerId: string): Promise<Watched | null> {
    const container = engine.docker.getContainer(containerId)
    const facts = await engine.find((abortSignal) => container.inspect({ abortSignal }))
    if (!facts?.State.Running) return null
    const files = await cgroupOf(facts.State.Pid)
    const startedAt = Date.parse(facts.State.StartedAt)
    return { pid: facts.State.Pid, startedAt, files, last: null }
  }

  async function measure(containerId: string, serverId: string): Promise<WorkloadSample | null> {
    const own = watched.get(containerId) ?? (await watch(containerId))
    if (own === null) return null
    watched.set(containerId, own)
    try {
      const [figures, disk] = await Promise.all([
        own.files ? kernelFigures(own.pid, own.files) : engineFigures(engine, containerId),
        data.usedBytes(serverId),
      ])
      const cpu = figures.cpuMicroseconds
      const at = Date.now()
      const before = own.last ?? { at: own.startedAt, cpu: 0 }
      // The runtime's own CPU use before the start is included, so a very short interval would
      // exaggerate it.
      const spent = Math.max(own.last ? 1 : 1000, at - before.at) * 1000
      own.last = { at, cpu }
      return {
        serverId,
        at: new Date(at),
        cpuPercent: Math.max(0, (Math.max(0, cpu - before.cpu) / spent) * 100),
        memoryBytes: figures.memoryBytes,
        networkRxBytes: figures.received,
        networkTxBytes: figures.sent,
        diskBytes: disk,
      }
    } catch {
      // It exited meanwhile, or was restarted with another process.
      watched.delete(containerId)
      return null
    }
  }

  return async (signal: AbortSignal): Promise<readonly WorkloadSample[]> => {
    const running = await engine.call(
      (abortSignal) =>
        engine.docker.listContainers({
          filters: { label: [`${LABEL.scope}=${scope}`, `${LABEL.kind}=run`], status: ['running'] },
          abortSignal,
        }),
      { signal },
    )
    const ids = new Set(running.map((container) => container.Id))
    for (const id of watched.keys()) if (!ids.has(id)) watched.delete(id)
    const answers = running.map((container) =>
      inTime(measure(container.Id, container.Labels[LABEL.server] ?? '').catch(() => null)),
    )
    return (await Promise.all(answers)).filter((sample) => sample !== null)
  }
}

async function kernelFigures(pid: number, files: CgroupFiles): Promise<EngineFigures> {
  const [cpu, memory, network] = await Promise.all([
    cpuMicroseconds(files),
    memoryBytes(files),
    networkBytes(pid),
  ])
  return { cpuMicroseconds: cpu, memoryBytes: memory, ...network }
}

function inTime<T>(work: Promise<T>): Promise<T | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), ONE_CONTAINER_MS)
    void work.then((value) => {
      clearTimeout(timer)
      resolve(value)
    })
  })
}
