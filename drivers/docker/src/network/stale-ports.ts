import { readdir, readFile } from 'node:fs/promises'
import type { Engine } from '../engine/client.ts'
import type { Settings } from '../engine/options.ts'

/** Minimum time between two restarts of the engine, so that it can come back. */
const PAUSE_MS = 10_000

/** Frees ports that the engine wrongly considers taken. */
export interface StalePorts {
  /**
   * Checks whether this port is held for a container that is not running. If so, and if restarting
   * the engine is safe, terminates it so that its supervisor restarts it.
   * @returns true when the start may soon succeed
   */
  free(port: number): Promise<boolean>
}

interface Forwarder {
  readonly enginePid: number
  readonly containerAddress: string
}

/**
 * An engine killed right after publishing a port publishes it again on its next start, although the
 * container is gone, and never releases it: neither removing the container nor its network helps
 * (seen with 20.10). A clean restart clears it.
 */
export function stalePorts(engine: Engine, settings: Settings): StalePorts {
  let endedMs = 0
  return {
    async free(port) {
      const forwarders = await forwardersOf(port)
      const [first] = forwarders
      if (!first || (await isUsed(engine, forwarders))) return false
      if (Date.now() - endedMs < PAUSE_MS) return true
      if (!(await mayEnd(engine, settings, first.enginePid))) {
        settings.log(
          `Docker keeps port ${port} for a container that does not run. A restart of Docker frees it.`,
        )
        return false
      }
      endedMs = Date.now()
      settings.log(
        `Docker keeps port ${port} for a container that does not run: restarting Docker.`,
      )
      process.kill(first.enginePid, 'SIGTERM')
      return true
    },
  }
}

/** Only if servers survive a restart of the engine and a supervisor restarts it. */
async function mayEnd(engine: Engine, settings: Settings, pid: number): Promise<boolean> {
  const info: { LiveRestoreEnabled?: boolean } = await engine.call(() => engine.docker.info())
  if (!info.LiveRestoreEnabled) return false
  const group = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '')
  return settings.engineSupervised || /\/docker\.service$/m.test(group)
}

async function isUsed(engine: Engine, forwarders: readonly Forwarder[]): Promise<boolean> {
  const running = await engine.call((abortSignal) => engine.docker.listContainers({ abortSignal }))
  const addresses = running.flatMap(({ NetworkSettings }) =>
    Object.values(NetworkSettings.Networks).map(({ IPAddress }) => IPAddress),
  )
  return forwarders.some(({ containerAddress }) => addresses.includes(containerAddress))
}

/** The engine's proxy processes that hold a port open on this machine. */
async function forwardersOf(port: number): Promise<Forwarder[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(pids.map((pid) => forwarderAt(pid, port)))
  return found.filter((forwarder) => forwarder !== null)
}

async function forwarderAt(pid: string, port: number): Promise<Forwarder | null> {
  const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
  const after = (flag: string) => words[words.indexOf(flag) + 1] ?? ''
  const isOne = words[0]?.endsWith('docker-proxy') && after('-host-port') === String(port)
  if (!isOne) return null
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const enginePid = Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1] ?? 0)
  const name = await readFile(`/proc/${enginePid}/comm`, 'utf8').catch(() => '')
  if (name.trim() !== 'dockerd') return null
  return { enginePid, containerAddress: after('-container-ip') }
}
