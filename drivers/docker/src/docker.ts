import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { cancellation } from '@lodge/driver/cancellation.ts'
import type { DriverWith } from '@lodge/driver/driver.ts'
import { asDriverError } from './client.ts'
import { probe } from './health.ts'
import { readInstallLog } from './install-log.ts'
import { containerName, LABEL } from './names.ts'
import type { DockerDriverOptions } from './options.ts'
import { endOrphans } from './orphans.ts'
import { buildParts, type Parts } from './parts.ts'
import { type Power, power } from './power.ts'
import { type Provisioning, provisioning } from './provision.ts'
import { recoverWorkloads } from './recover.ts'
import { removeContainer } from './removal.ts'
import { sampler } from './sample.ts'
import { createWarmPool } from './warm-pool.ts'

type Capable = DriverWith<'console' | 'installer' | 'images' | 'networks'>

export interface DockerDriver extends Capable {
  /** Lets go of the engine; servers go on running. */
  close(): void
}

/** Unused images are looked for so often. */
const TIDY_MS = 3_600_000

/** Runs servers as containers of a Docker engine on this machine. Throws when an option is unusable. */
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
      ({ removed }) => removed > 0 && settings.log(`${removed} unused images were removed`),
      () => {},
    )
  }, TIDY_MS).unref()

  return {
    kind: 'docker',
    runs: ['container'],
    images: images.kept,
    probe: (signal) => probe(parts, signal),

    recover: (signal) =>
      inOurWords(async () => {
        await mkdir(join(settings.dataRoot, 'servers'), { recursive: true, mode: 0o711 })
        // What runs goes on running; what is started from now on needs the rules.
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
        await Promise.all(live.map((workload) => consoles.attachIfRunning(workload.serverId)))
        return found
      }),

    apply: (server, spec, onProgress, signal) =>
      inOurWords(() =>
        warmPool.during(() =>
          works.during(server.serverId, signal, (own) =>
            making.apply(server, spec, onProgress, own),
          ),
        ),
      ),

    start: (serverId, signal) =>
      inOurWords(() => warmPool.during(() => running.start(serverId, signal))),
    signal: (serverId, signal) => inOurWords(() => running.signal(serverId, signal)),

    kill(serverId) {
      works.cancel(serverId)
      return inOurWords(() => warmPool.during(() => running.kill(serverId)))
    },

    remove(serverId) {
      works.cancel(serverId)
      return inOurWords(() => warmPool.during(() => removeServer(parts, serverId)))
    },

    async *events(signal) {
      for await (const event of source.events(signal)) {
        if (event.kind === 'reset') await endForgotten(parts, running, making)
        yield event
      }
    },
    sample: (signal) => inOurWords(() => measure(signal)),

    installer: {
      install: (server, spec, onProgress, signal) =>
        inOurWords(() =>
          warmPool.during(() =>
            works.during(server.serverId, signal, (own) =>
              making.install(server, spec, onProgress, own),
            ),
          ),
        ),
    },
    console: {
      follow: consoles.follow,
      write: (serverId, bytes) => inOurWords(() => consoles.write(serverId, bytes)),
      tail: (serverId, lines, from, since) =>
        inOurWords(() =>
          from === 'run'
            ? consoles.tail(serverId, lines, since)
            : readInstallLog(data.paths(serverId).installLog, lines),
        ),
    },

    networks: { open: (openings) => inOurWords(() => firewall.open(openings)) },
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

async function removeServer(parts: Parts, serverId: string): Promise<void> {
  const { consoles, data, engine, networks, numbers, scope } = parts
  consoles.forget(serverId)
  await Promise.all([
    removeContainer(engine, containerName(scope, serverId, 'run')),
    removeContainer(engine, containerName(scope, serverId, 'install')),
  ])
  await networks.remove(serverId, await numbers.of(serverId))
  await data.remove(serverId)
  await numbers.release(serverId)
}

/** An engine that has come back may have forgotten what it was just starting. */
async function endForgotten(
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
    if (count > 0) settings.log(`${count} processes that Docker had forgotten were ended`)
  } catch (error) {
    settings.log(`What Docker has forgotten could not be looked for: ${error}`)
  }
}

/** Whatever the engine says leaves this room as a `DriverError`. */
async function inOurWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asDriverError(error)
  }
}
