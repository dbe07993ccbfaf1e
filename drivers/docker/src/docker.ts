import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { cancellation } from '@lodge/driver/cancellation.ts'
import { DriverError, type DriverWith } from '@lodge/driver/driver.ts'
import { endOrphans } from './container/orphans.ts'
import { type Power, power } from './container/power.ts'
import { type Provisioning, provisioning } from './container/provision.ts'
import { recoverWorkloads } from './container/recover.ts'
import { createWarmPool } from './container/warm-pool.ts'
import { presentContainer } from './container/workload.ts'
import { asDriverError } from './engine/client.ts'
import { containerName, LABEL } from './engine/names.ts'
import type { DockerDriverOptions } from './engine/options.ts'
import { removeContainer } from './engine/removal.ts'
import { probe } from './health.ts'
import { readInstallLog } from './output/install-log.ts'
import { buildParts, type Parts } from './parts.ts'
import { sampler } from './sampling/sample.ts'

type Capable = DriverWith<
  'console' | 'installer' | 'images' | 'networks' | 'backups' | 'files' | 'relocation'
>

export interface DockerDriver extends Capable {
  /** Disconnects from the engine; servers keep running. */
  close(): void
}

/** Interval between collections of unused images. */
const TIDY_MS = 3_600_000
/** For a look whether a server runs. */
const LOOK_MS = 30_000

/**
 * Runs servers as containers of the Docker engine on this machine. Throws when an option is
 * invalid.
 */
export function dockerDriver(options: DockerDriverOptions): DockerDriver {
  const parts = buildParts(options)
  const { consoles, data, engine, firewall, images, scope, settings, source } = parts
  const warmPool = createWarmPool(parts)
  const making = provisioning(parts, warmPool.wanted)
  const running = power(parts)
  const works = cancellation('install_failed')
  const measure = sampler(engine, scope, data)
  const life = new AbortController()
  const tidying = setInterval(() => {
    images.collect(life.signal).then(
      ({ removed }) => removed > 0 && settings.log(`${removed} unused images removed`),
      () => {},
    )
  }, TIDY_MS).unref()

  return {
    kind: 'docker',
    runs: ['container'],
    images: images.kept,
    probe: (signal) => probe(parts, signal),

    recover: (signal) =>
      withDriverErrors(async () => {
        await mkdir(join(settings.dataRoot, 'servers'), { recursive: true, mode: 0o711 })
        // A missing firewall must not stop what is already running; new starts require it.
        const why = await firewall.complaint()
        if (why) settings.log(why)
        const found = await recoverWorkloads({
          engine,
          scope,
          data,
          isInstalling: making.isInstalling,
          signal,
        })
        const live = found.filter((workload) => workload.running)
        // Attach even without readers, so that no output is missed when one arrives.
        await Promise.all(live.map((workload) => consoles.attachIfRunning(workload.serverId)))
        return found
      }),

    apply: (server, spec, onProgress, signal) =>
      withDriverErrors(() =>
        warmPool.during(() =>
          works.during(server.serverId, signal, (own) =>
            making.apply(server, spec, onProgress, own),
          ),
        ),
      ),

    start: (serverId, signal) =>
      withDriverErrors(() => warmPool.during(() => running.start(serverId, signal))),
    signal: (serverId, signal) => withDriverErrors(() => running.signal(serverId, signal)),

    kill(serverId) {
      works.cancel(serverId)
      // The work above was cancelled first: its container may not exist yet, and would start after
      // the kill.
      return withDriverErrors(() => warmPool.during(() => running.kill(serverId)))
    },

    remove(serverId, andShared) {
      works.cancel(serverId)
      return withDriverErrors(() => warmPool.during(() => removeServer(parts, serverId, andShared)))
    },

    async *events(signal) {
      for await (const event of source.events(signal)) {
        // Before the agent reacts: it could start a server whose orphaned processes still run.
        if (event.kind === 'reset') await killOrphans(parts, running, making)
        yield event
      }
    },
    sample: (signal) => withDriverErrors(() => measure(signal)),

    installer: {
      install: (server, spec, onProgress, signal) =>
        withDriverErrors(() =>
          warmPool.during(() =>
            works.during(server.serverId, signal, (own) =>
              making.install(server, spec, onProgress, own),
            ),
          ),
        ),
    },
    console: {
      follow: consoles.follow,
      write: (serverId, bytes) => withDriverErrors(() => consoles.write(serverId, bytes)),
      tail: (serverId, lines, from, since) =>
        withDriverErrors(() =>
          from === 'run'
            ? consoles.tail(serverId, lines, since)
            : readInstallLog(data.paths(serverId).installLog, lines),
        ),
    },

    networks: { open: (openings) => withDriverErrors(() => firewall.open(openings)) },
    backups: data.exchange,
    files: {
      open: (serverId) =>
        withDriverErrors(async () => {
          const number = await parts.numbers.of(serverId)
          if (number === null) throw new DriverError('not_found', 'The server is not on this node.')
          const id = await data.uidOf(serverId, number)
          return { ...(await data.open(serverId)), uid: id, gid: id }
        }),
      onRelease: data.onRelease,
    },
    relocation: {
      copy: (serverId, to, onProgress, signal) =>
        withDriverErrors(() =>
          works.during(serverId, signal, async (own) => {
            await requireStopped(parts, serverId)
            const ownUid = settings.uidBase + (await parts.numbers.take(serverId))
            await data.relocation.copy(serverId, to, ownUid, onProgress, own)
          }),
        ),
      place: (serverId, on) =>
        withDriverErrors(() =>
          data.relocation.place(serverId, on, () => requireStopped(parts, serverId)),
        ),
      drop: (serverId, on) => withDriverErrors(() => data.relocation.drop(serverId, on)),
    },
    tracesOf: (serverId) =>
      withDriverErrors(async () => {
        const container = engine.docker.getContainer(containerName(scope, serverId, 'run'))
        const found = await engine.find((abortSignal) => container.inspect({ abortSignal }))
        // Whichever runtime creates them, its cgroups are named after the whole id.
        return found === null ? [] : [{ kind: 'cgroup', name: found.Id }]
      }),
    dataFolder: (serverId) => data.paths(serverId).data,
    close() {
      clearInterval(tidying)
      life.abort()
      warmPool.close()
      firewall.close()
      consoles.close()
    },
  }
}

/** @throws {DriverError} not_stopped */
async function requireStopped({ engine, scope }: Parts, serverId: string): Promise<void> {
  if (!(await presentContainer(engine, scope, serverId, AbortSignal.timeout(LOOK_MS)))?.running)
    return
  throw new DriverError('not_stopped', 'The server still runs.', { retryable: true })
}

async function removeServer(
  parts: Parts,
  serverId: string,
  andShared: 'and-shared' | undefined,
): Promise<void> {
  const { consoles, data, engine, networks, numbers, scope } = parts
  consoles.forget(serverId)
  await Promise.all([
    removeContainer(engine, containerName(scope, serverId, 'run')),
    removeContainer(engine, containerName(scope, serverId, 'install')),
  ])
  // After the containers: the engine does not remove a network in use.
  await networks.remove(serverId, await numbers.of(serverId))
  await data.remove(serverId, andShared)
  // Released last: until then no other server may get this user id and network.
  await numbers.release(serverId)
}

/** An engine killed in the middle of a start may have lost track of its processes; ends them. */
async function killOrphans(
  { engine, scope, settings }: Parts,
  running: Power,
  making: Provisioning,
): Promise<void> {
  try {
    const filters = { label: [`${LABEL.scope}=${scope}`] }
    const listed = await engine.call((abortSignal) =>
      engine.docker.listContainers({ all: true, filters, abortSignal }),
    )
    const ended = listed.filter(({ State, Labels }) => {
      const serverId = Labels[LABEL.server] ?? ''
      const busy = running.isStarting(serverId) || making.isInstalling(serverId)
      return ['created', 'exited', 'dead'].includes(State) && !busy
    })
    const count = await endOrphans(ended.map(({ Id }) => Id))
    if (count > 0) settings.log(`${count} orphaned container processes killed`)
  } catch (error) {
    settings.log(`Could not look for orphaned container processes: ${error}`)
  }
}

/** Converts engine errors to `DriverError` at the driver's boundary. */
async function withDriverErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asDriverError(error)
  }
}
