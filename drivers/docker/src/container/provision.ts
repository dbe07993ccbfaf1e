import { rm } from 'node:fs/promises'
import type { Applied, OnProgress, ServerRef } from '@lodge/driver/driver.ts'
import { specFingerprint } from '@lodge/driver/fingerprint.ts'
import type { ContainerSpec, ImageSource, InstallSpec } from '@lodge/shared/container-spec.ts'
import { writeRecord } from '../data/record.ts'
import { EngineError } from '../engine/client.ts'
import { containerName } from '../engine/names.ts'
import { removeContainer } from '../engine/removal.ts'
import { openInstallLog } from '../output/install-log.ts'
import type { Parts } from '../parts.ts'
import { type CreateOfImage, runInstaller, secretsOf } from './install.ts'
import { mostOpenFiles } from './open-files.ts'
import { changeLimits, checkSpec, createContainer, presentContainer } from './workload.ts'

/** Creates servers: data, networks, images and containers. */
export interface Provisioning {
  apply(
    server: ServerRef,
    spec: ContainerSpec,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<Applied>
  install(
    server: ServerRef,
    spec: ContainerSpec,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void>
  isInstalling(serverId: string): boolean
}

export function provisioning(parts: Parts, wanted: (diskMb: number) => void): Provisioning {
  const { consoles, data, engine, firewall, images, networks, numbers, scope } = parts
  const installing = new Set<string>()
  let openFiles: Promise<number> | null = null

  /** Creates something of an image, and once more where something else has removed that since. */
  async function ofImage(
    { name, source }: { readonly name: string; readonly source: ImageSource },
    create: (image: string) => Promise<unknown>,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      await create(name)
    } catch (error) {
      if (!(error instanceof EngineError) || error.status !== 404) throw error
      images.forget(name)
      await create(await images.ensure(source, onProgress, signal))
    }
  }

  /**
   * Prepares data, network and image in parallel. If one fails, waits for the others to end, so
   * that no work continues after the error.
   */
  async function prepare(
    serverId: string,
    spec: ContainerSpec,
    running: boolean,
    secrets: readonly string[],
    image: (onProgress: OnProgress) => Promise<string>,
    onProgress: OnProgress,
    signal: AbortSignal,
  ) {
    openFiles ??= mostOpenFiles()
    const number = await numbers.take(serverId)
    const uid = await data.uidOf(serverId, number)
    const ready = data.prepare(serverId, uid, spec.limits.diskMb, running)
    // The image's pull or build is logged as part of the installation.
    const log = openInstallLog(data.paths(serverId).installLog, secrets, () => {}, ready)
    const logged: OnProgress = (progress) => {
      log.add(progress.logLines ?? [])
      onProgress(progress)
    }
    const work = [
      openFiles,
      ready,
      networks.ensure(serverId, number, signal),
      image(logged).finally(log.close),
      firewall.ensure(),
    ] as const
    await Promise.allSettled(work)
    const [most, disk, network, imageName] = await Promise.all(work)
    const limits = { ...spec.limits, openFiles: Math.min(spec.limits.openFiles, most) }
    return { uid, disk, network, imageName, spec: { ...spec, limits } }
  }

  async function runInstall(
    server: ServerRef,
    given: ContainerSpec,
    install: InstallSpec,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void> {
    const { serverId } = server
    await data.relocation.follow(serverId, given.storage)
    const getImage = (tell: OnProgress) => images.ensure(install.image, tell, signal)
    const log = data.paths(serverId).installLog
    for (const file of [log, `${log}.old`]) await rm(file, { force: true })
    const { uid, network, imageName, spec } = await prepare(
      serverId,
      given,
      false,
      secretsOf({ spec: given, install }),
      getImage,
      onProgress,
      signal,
    )
    const paths = data.paths(serverId)
    const fingerprint = specFingerprint(given)
    // Before the installer runs, so that `recover` reports the data even without a container.
    await writeRecord(paths.record, { ...server, fingerprint, uid })
    const plan = {
      engine,
      scope,
      server,
      spec,
      install,
      network,
      paths,
      fingerprint,
    }
    const image = { name: imageName, source: install.image }
    const create: CreateOfImage = (make, tell) => ofImage(image, make, tell, signal)
    await runInstaller(plan, create, onProgress, signal)
    // The installer ran as root, but the server must be able to change its files.
    await data.giveTo(serverId, uid)
  }

  return {
    isInstalling: (serverId) => installing.has(serverId),

    async apply(server, given, onProgress, signal) {
      checkSpec(given)
      const { serverId } = server
      const fingerprint = specFingerprint(given)
      const present = await presentContainer(engine, scope, serverId, signal)
      // A running container is never replaced: a different spec waits for the next start.
      // What runs keeps its files: another storage waits for the next start.
      if (!present?.running) await data.relocation.follow(serverId, given.storage)
      const isSame =
        present?.fingerprint === fingerprint && present.sources.includes(data.paths(serverId).data)
      const keep = present !== null && (present.running || isSame)
      const getImage = async (tell: OnProgress) =>
        keep ? '' : images.ensure(given.image, tell, signal)
      const running = present?.running ?? false
      const prepared = await prepare(serverId, given, running, [], getImage, onProgress, signal)
      const { uid, disk, network, imageName, spec } = prepared
      const paths = data.paths(serverId)
      const record = { ...server, fingerprint, uid }
      if (keep) {
        const other = disk.restartRequired || present.fingerprint !== fingerprint
        const changed = await changeLimits(engine, present, spec, signal)
        // While a restart is pending, the record keeps describing the container that runs.
        if (!other) await writeRecord(paths.record, record)
        return { restartRequired: other || !changed, diskLimit: disk.diskLimit }
      }
      if (present) {
        // Our own removal, which the agent must not take for an external one.
        parts.source.expectRemoval(present.id)
        consoles.detach(serverId)
        await removeContainer(engine, containerName(scope, serverId, 'run'))
      }
      const mounts = [
        { source: paths.data, target: spec.dataPath, readOnly: false },
        { source: paths.passwd, target: '/etc/passwd', readOnly: true },
        { source: paths.group, target: '/etc/group', readOnly: true },
      ]
      const plan = { engine, scope, server, spec, fingerprint, uid, network, mounts }
      const create = (image: string) => createContainer({ ...plan, image }, signal)
      await ofImage({ name: imageName, source: spec.image }, create, onProgress, signal)
      await writeRecord(paths.record, record)
      if (disk.diskLimit === 'enforced') wanted(spec.limits.diskMb)
      return { restartRequired: false, diskLimit: disk.diskLimit }
    },

    async install(server, spec, onProgress, signal) {
      if (!spec.install) return
      checkSpec(spec)
      // Keeps `recover` from removing this installer as an orphan.
      installing.add(server.serverId)
      try {
        await runInstall(server, spec, spec.install, onProgress, signal)
      } finally {
        installing.delete(server.serverId)
      }
    },
  }
}
