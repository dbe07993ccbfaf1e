import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Applied,
  type Driver,
  DriverError,
  type Health,
  type OnProgress,
  type ServerRef,
} from '@lodge/driver/driver.ts'
import { specFingerprint } from '@lodge/driver/fingerprint.ts'
import type { ContainerSpec } from '@lodge/shared/container-spec.ts'
import { asDriverError, EngineError, openEngine } from './client.ts'
import { serverConsoles } from './console.ts'
import { numbersIn } from './data/numbers.ts'
import { writeRecord } from './data/record.ts'
import { serverData } from './data/server-data.ts'
import { engineEvents } from './events.ts'
import { hostFirewall } from './firewall.ts'
import { engineImages } from './images/images.ts'
import { runInstaller } from './install.ts'
import { readInstallLog } from './install-log.ts'
import { containerName } from './names.ts'
import { networksInPool, serverNetworks } from './network.ts'
import { mostOpenFiles } from './open-files.ts'
import { type DockerDriverOptions, settingsOf } from './options.ts'
import { recoverWorkloads } from './recover.ts'
import { sampler } from './sample.ts'
import { changeLimits, checkSpec, createContainer, presentContainer } from './workload.ts'

const START_DEADLINE_MS = 60_000

export interface DockerDriver extends Driver {
  /** Lets go of the engine; servers go on running. */
  close(): void
}

/** Runs servers as containers of a Docker engine on this machine. Throws when an option is unusable. */
export function dockerDriver(options: DockerDriverOptions): DockerDriver {
  const settings = settingsOf(options)
  const scope = settings.labelScope
  const engine = openEngine(settings.socketPath, settings.callDeadlineMs)
  const data = serverData(settings)
  const numbers = numbersIn(join(settings.dataRoot, 'numbers'), networksInPool(settings.subnetPool))
  const networks = serverNetworks(engine, settings)
  const firewall = hostFirewall(settings)
  const images = engineImages(engine, settings)
  const consoles = serverConsoles(engine, scope)
  const source = engineEvents(engine, scope)
  const working = new Map<string, Set<AbortController>>()
  const installing = new Set<string>()
  const ttys = new Map<string, boolean>()
  let fenced: Promise<unknown> | null = null
  let openFiles: Promise<number> | null = null

  const container = (serverId: string) =>
    engine.docker.getContainer(containerName(scope, serverId, 'run'))

  /** Work that `kill` and `remove` may end: images on their way and installers. */
  async function cancellable<T>(
    serverId: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const own = new AbortController()
    const set = working.get(serverId) ?? new Set()
    working.set(serverId, set)
    set.add(own)
    try {
      return await work(AbortSignal.any([signal, own.signal]))
    } finally {
      set.delete(own)
      if (set.size === 0) working.delete(serverId)
    }
  }

  function cancelWork(serverId: string): void {
    const reason = new DriverError('install_failed', 'Ended on request.', { retryable: true })
    for (const work of working.get(serverId) ?? []) work.abort(reason)
  }

  /** Data, network and image side by side. */
  async function prepare(
    serverId: string,
    spec: ContainerSpec,
    running: boolean,
    image: () => Promise<string>,
    signal: AbortSignal,
  ) {
    fenced ??= firewall.ensure()
    const number = await numbers.take(serverId)
    const uid = settings.uidBase + number
    openFiles ??= mostOpenFiles()
    const [most, disk, network, imageName] = await Promise.all([
      openFiles,
      data.prepare(serverId, uid, spec.limits.diskMb, running),
      networks.ensure(serverId, number, signal),
      image(),
      fenced,
    ])
    const limits = { ...spec.limits, openFiles: Math.min(spec.limits.openFiles, most) }
    return { uid, disk, network, imageName, limits }
  }

  async function removeContainer(serverId: string): Promise<void> {
    consoles.detach(serverId)
    await engine.find(
      (abortSignal) => container(serverId).remove({ force: true, v: true, abortSignal }),
      {
        deadlineMs: START_DEADLINE_MS,
      },
    )
  }

  async function apply(
    server: ServerRef,
    spec: ContainerSpec,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<Applied> {
    checkSpec(spec)
    const { serverId } = server
    const fingerprint = specFingerprint(spec)
    const present = await presentContainer(engine, scope, serverId, signal)
    const keep = present !== null && (present.running || present.fingerprint === fingerprint)
    const { uid, disk, network, imageName, limits } = await prepare(
      serverId,
      spec,
      present?.running ?? false,
      () => (keep ? Promise.resolve('') : images.ensure(spec.image, onProgress, signal)),
      signal,
    )
    const paths = data.paths(serverId)
    const restartRequired = disk.restartRequired || (keep && present.fingerprint !== fingerprint)
    if (keep) {
      const changed = await changeLimits(engine, present, spec, signal)
      if (!restartRequired) await writeRecord(paths.record, { ...server, fingerprint, uid })
      return { restartRequired: restartRequired || !changed, diskLimit: disk.diskLimit }
    }
    if (present) {
      source.expectRemoval(present.id)
      await removeContainer(serverId)
    }
    const plan = {
      engine,
      scope,
      server,
      spec: { ...spec, limits },
      fingerprint,
      uid,
      network,
      mounts: [
        { source: paths.data, target: spec.dataPath, readOnly: false },
        { source: paths.passwd, target: '/etc/passwd', readOnly: true },
        { source: paths.group, target: '/etc/group', readOnly: true },
      ],
    }
    try {
      await createContainer({ ...plan, image: imageName }, signal)
    } catch (error) {
      if (!(error instanceof EngineError) || error.status !== 404) throw asDriverError(error)
      // The image was taken away behind our back.
      images.forget(imageName)
      await createContainer(
        { ...plan, image: await images.ensure(spec.image, onProgress, signal) },
        signal,
      )
    }
    ttys.set(serverId, spec.tty)
    await writeRecord(paths.record, { ...server, fingerprint, uid })
    return { restartRequired: false, diskLimit: disk.diskLimit }
  }

  return {
    kind: 'docker',

    async probe(signal): Promise<Health> {
      try {
        const version = await engine.call(() => engine.docker.version(), {
          signal,
          deadlineMs: 4000,
        })
        const why = await firewall.ensure()
        const warnings = [why, await data.warning()].filter((text) => text !== null)
        return { ok: true, version: version.Version, warnings }
      } catch (error) {
        return { ok: false, why: error instanceof Error ? error.message : String(error) }
      }
    },

    async recover(signal) {
      await mkdir(join(settings.dataRoot, 'servers'), { recursive: true, mode: 0o711 })
      const found = await recoverWorkloads({
        engine,
        scope,
        data,
        isInstalling: (serverId) => installing.has(serverId),
        signal,
      })
      await Promise.all(
        found
          .filter((workload) => workload.running)
          .map((workload) => consoles.attachIfRunning(workload.serverId)),
      )
      return found
    },

    apply: (server, spec, onProgress, signal) =>
      cancellable(server.serverId, signal, (own) => apply(server, spec, onProgress, own)),

    install: (server, spec, onProgress, signal) =>
      cancellable(server.serverId, signal, async (own) => {
        const { serverId } = server
        const { install } = spec
        if (!install) return
        checkSpec(spec)
        installing.add(serverId)
        try {
          const image = () => images.ensure(install.image, onProgress, own)
          const { uid, network, imageName, limits } = await prepare(
            serverId,
            spec,
            false,
            image,
            own,
          )
          const paths = data.paths(serverId)
          const fingerprint = specFingerprint(spec)
          await writeRecord(paths.record, { ...server, fingerprint, uid })
          const plan = {
            engine,
            scope,
            server,
            spec: { ...spec, limits },
            install,
            image: imageName,
            network,
            paths,
            fingerprint,
          }
          await runInstaller(plan, onProgress, own)
          await data.giveTo(serverId, uid)
        } finally {
          installing.delete(serverId)
        }
      }),

    async start(serverId, signal) {
      await data.mount(serverId)
      try {
        await consoles.attachForStart(
          serverId,
          ttys.get(serverId) ?? (await isTty(serverId, signal)),
          signal,
        )
        await engine.call((abortSignal) => container(serverId).start({ abortSignal }), {
          signal,
          deadlineMs: START_DEADLINE_MS,
        })
      } catch (error) {
        if (error instanceof EngineError && error.status === 304) return
        consoles.detach(serverId)
        if (
          error instanceof EngineError &&
          error.status === 404 &&
          /network/i.test(error.message)
        ) {
          networks.forget(serverId)
          await removeContainer(serverId)
          throw new DriverError('start_failed', 'The network of the server was gone.', {
            retryable: true,
            cause: error,
          })
        }
        throw asDriverError(error)
      }
    },

    async signal(serverId, signal) {
      await whenRunning(() =>
        engine.call((abortSignal) => container(serverId).kill({ signal, abortSignal })),
      )
    },

    async kill(serverId) {
      cancelWork(serverId)
      const installer = engine.docker.getContainer(containerName(scope, serverId, 'install'))
      await Promise.all([
        whenRunning(() =>
          engine.call((abortSignal) =>
            container(serverId).kill({ signal: 'SIGKILL', abortSignal }),
          ),
        ),
        whenRunning(() =>
          engine.call((abortSignal) => installer.kill({ signal: 'SIGKILL', abortSignal })),
        ),
      ])
    },

    async remove(serverId) {
      cancelWork(serverId)
      const installer = engine.docker.getContainer(containerName(scope, serverId, 'install'))
      await Promise.all([
        removeContainer(serverId),
        engine.find((abortSignal) => installer.remove({ force: true, v: true, abortSignal }), {
          deadlineMs: START_DEADLINE_MS,
        }),
      ])
      await networks.remove(serverId)
      await data.remove(serverId)
      await numbers.release(serverId)
      ttys.delete(serverId)
    },

    events: (signal) => source.events(signal),
    sample: sampler(engine, scope, data),

    console: {
      follow: consoles.follow,
      write: consoles.write,
      tail: (serverId, lines, from) =>
        from === 'run'
          ? consoles.tail(serverId, lines)
          : readInstallLog(data.paths(serverId).installLog, lines),
    },

    dataFolder: (serverId) => data.paths(serverId).data,

    close() {
      consoles.close()
    },
  }

  async function isTty(serverId: string, signal: AbortSignal): Promise<boolean> {
    const facts = await engine.call((abortSignal) => container(serverId).inspect({ abortSignal }), {
      signal,
    })
    ttys.set(serverId, facts.Config.Tty)
    return facts.Config.Tty
  }
}

/** Nothing happens to what does not run (409) or does not exist (404). */
async function whenRunning(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof EngineError && [404, 409].includes(error.status)) return
    if (error instanceof EngineError && /is not running/i.test(error.message)) return
    throw asDriverError(error)
  }
}
