import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, link, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadCopy, Transfer } from '@lodge/driver/capabilities/transfer.ts'
import { DriverError, type OnProgress, type ServerRef } from '@lodge/driver/driver.ts'
import { specFingerprint } from '@lodge/driver/fingerprint.ts'
import { type CopiedFile, MachineManifest } from '@lodge/shared/machine-copy.ts'
import type { MachineSpec } from '@lodge/shared/machine-spec.ts'
import { writeData } from '../data/data.ts'
import { syncPath, writeWhole } from '../data/files.ts'
import { type MachinePaths, machinePaths } from '../data/layout.ts'
import { disksOf } from '../disks/of-machine.ts'
import { makeFolders } from '../disks/shape.ts'
import { diskSizeBytes } from '../media/headers.ts'
import type { Parts } from '../parts.ts'
import type { Provisioning } from '../provision.ts'
import { fingerprintOf, hashInto } from './file-bytes.ts'
import { type FileStamp, same, stampOf } from './kept-file.ts'
import { filesToSend, sentFiles } from './leaving.ts'
import { partsOf, placeOf, stoppedMachine } from './parts-of.ts'
import { readSnapshot } from './snapshots.ts'
import { adopt, emptyTpm, tpmStateFolder } from './tpm-state.ts'

const MIB = 1024 * 1024
/** Limit on received data that is not written yet. */
const WAITING_BYTES = MIB
/** Names the machine that an import belongs to; no file of a copy has this name. */
const OWNER_FILE = '.uuid'

/**
 * Moves machines between nodes: lists and sends their files, and creates a machine from received
 * files only once all are verified.
 */
export function moves(
  parts: Parts,
  applyUnlocked: Provisioning['applyUnlocked'],
): Transfer<MachineSpec> {
  const { domains, locks, places, settings } = parts

  async function manifest(serverId: string, onProgress: OnProgress, signal: AbortSignal) {
    const machine = await stoppedMachine(parts, serverId)
    const paths = machinePaths(settings.dataRoot, serverId)
    const own = await partsOf(parts, machine)
    const sources = await filesToSend(paths, own, onProgress, signal)
    const sizes = await Promise.all(sources.map(async ({ path }) => (await stat(path)).size))
    const total = sizes.reduce((sum, size) => sum + size, 0)
    let done = 0
    const files: CopiedFile[] = []
    const known = await knownFingerprints(paths)
    for (const [index, { name, part, path }] of sources.entries()) {
      const already = known(name, await stampOf(path))
      const sha256 =
        already ??
        (await fingerprintOf(path, signal, (count) => {
          done += count
          const percent = (done / Math.max(1, total)) * 100
          onProgress({ step: 'verify', percent, detail: `Reading ${name}`, bytes: { done, total } })
        }))
      if (already !== undefined) done += sizes[index] ?? 0
      files.push({ name, part, sizeBytes: sizes[index] ?? 0, sha256 })
    }
    return { version: 1 as const, serverId, uuid: machine.uuid, files }
  }

  async function read(serverId: string, name: string, offset: number, signal: AbortSignal) {
    const machine = await stoppedMachine(parts, serverId)
    const paths = machinePaths(settings.dataRoot, serverId)
    const file = sentFiles(paths, await partsOf(parts, machine)).find((one) => one.name === name)
    if (!file) throw new DriverError('not_found', 'The machine has no such file.')
    return createReadStream(file.path, { start: offset, highWaterMark: 256 * 1024, signal })
  }

  async function importMachine(
    server: ServerRef,
    spec: MachineSpec,
    given: MachineManifest,
    from: ReadCopy,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void> {
    const known = await domains.find(server.serverId)
    if (known?.uuid === spec.uuid) {
      const there = machinePaths(settings.dataRoot, server.serverId)
      // An agent that was killed after it had defined the machine, or whose libvirt was.
      if ((await arrivingUuid(there)) === spec.uuid)
        await complete(server, spec, onProgress, signal)
      return
    }
    const parsed = MachineManifest.safeParse(given)
    if (!parsed.success || given.uuid !== spec.uuid)
      throw new DriverError('copy_damaged', 'The list of files is not that of this machine.')
    const { files } = parsed.data
    requireWhole(files, spec)
    const storage =
      spec.storage === undefined ? null : await places.put(server.serverId, spec.storage)
    const paths = machinePaths(settings.dataRoot, server.serverId)
    // What lies there is of an earlier placement, unless it is what this import has received so far.
    if (storage && (await arrivingUuid(paths)) !== spec.uuid)
      await rm(paths.home, { recursive: true, force: true })
    await makeFolders(paths)
    await mkdir(paths.arriving, { recursive: true, mode: 0o700 })
    await writeWhole(join(paths.arriving, OWNER_FILE), spec.uuid)
    const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    let before = 0
    for (const file of files) {
      const tell = (count: number) => {
        const done = before + count
        const percent = (done / Math.max(1, total)) * 100
        const detail = `Receiving ${file.name}`
        onProgress({ step: 'copy', percent, detail, bytes: { done, total } })
      }
      await receive(join(paths.arriving, file.name), file, from, tell, signal)
      before += file.sizeBytes
    }
    await Promise.all(files.map(({ name }) => syncPath(join(paths.arriving, name))))
    onProgress({ step: 'verify', percent: 100, detail: 'All files verified' })
    if (files.some(({ part }) => part === 'tpm'))
      await emptyTpm(tpmStateFolder(parts, paths, spec.uuid))
    for (const file of files) {
      const [here, to] = [
        join(paths.arriving, file.name),
        placeOf(parts, server.serverId, spec.uuid, file),
      ]
      if (file.part === 'tpm') await adopt(here, to)
      else if (file.part === 'disk' && paths.pool) {
        await disksOf(paths).copyIn(here, 'qcow2', `${to}.new`, () => {}, signal)
        await rename(`${to}.new`, to)
      } else {
        // A hard link instead of a move: until the machine is defined, a repeated import finds
        // every file.
        await rm(`${to}.new`, { force: true })
        await link(here, `${to}.new`)
        await rename(`${to}.new`, to)
        await chmod(to, 0o600)
      }
    }
    await syncPath(paths.disks)
    await writeData(paths, {
      generation: server.generation,
      run: server.run,
      fingerprint: specFingerprint(spec),
      uuid: spec.uuid,
      disks: spec.disks.map(({ id }) => id),
      firmware: spec.profile.firmware.kind === 'uefi',
      unfinished: null,
    })
    await complete(server, spec, onProgress, signal)
  }

  /** Defines the machine of received files, and deletes what is left of their arrival. */
  async function complete(
    server: ServerRef,
    spec: MachineSpec,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void> {
    const paths = machinePaths(settings.dataRoot, server.serverId)
    try {
      await applyUnlocked(server, spec, onProgress, signal)
    } catch (error) {
      // Without a defined machine, this is not a server yet. With one, its disks would pass for lost
      // ones without a record: it stays where libvirt cannot tell, too.
      const defined = await domains.find(server.serverId).catch(() => undefined)
      if (defined === null) await rm(paths.record, { force: true })
      throw error
    }
    await rm(paths.arriving, { recursive: true, force: true })
    await disksOf(paths).sweep()
  }

  return {
    manifest: (serverId, onProgress, signal) =>
      locks.hold(serverId, () => manifest(serverId, onProgress, signal)),
    read: (serverId, name, offset, signal) =>
      locks.hold(serverId, () => read(serverId, name, offset, signal)),
    import: (server, spec, given, from, onProgress, signal) =>
      locks.hold(server.serverId, () =>
        importMachine(server, spec, given, from, onProgress, signal),
      ),
  }
}

/** The UUID of a machine being imported, or null. */
export async function arrivingUuid(paths: MachinePaths): Promise<string | null> {
  const text = await readFile(join(paths.arriving, OWNER_FILE), 'utf8').catch(() => '')
  return /^[0-9a-f-]{36}$/.test(text) ? text : null
}

/** Rejects a copy that lacks a disk: creating the machine would silently add an empty one. */
function requireWhole(files: readonly CopiedFile[], spec: MachineSpec): void {
  const names = new Set(files.map(({ name }) => name))
  const wanted = [
    ...spec.disks.map(({ id }) => `disk-${id}.qcow2`),
    ...(spec.profile.firmware.kind === 'uefi' ? ['firmware.fd'] : []),
  ]
  const absent = wanted.find((name) => !names.has(name))
  if (absent !== undefined)
    throw new DriverError('copy_damaged', `${absent} is missing in the copy.`)
  if (names.size !== files.length)
    throw new DriverError('copy_damaged', 'A file is twice in the copy.')
}

/**
 * Reuses fingerprints from snapshots for files that have not changed since, so that large disks need
 * not be read twice. A wrong one would be detected on the receiving node.
 */
async function knownFingerprints({ snapshots }: MachinePaths) {
  const names = await readdir(snapshots).catch((): string[] => [])
  const all = await Promise.all(names.map((name) => readSnapshot(join(snapshots, name))))
  const kept = all.flatMap((snapshot) => snapshot?.files ?? [])
  return (name: string, look: FileStamp): string | undefined =>
    kept.find((one) => one.name === name && one.sha256 && one.source && same(one.source, look))
      ?.sha256 ?? undefined
}

/**
 * Downloads the missing part of a file and verifies its fingerprint. The file is not durable until
 * synced.
 */
async function receive(
  path: string,
  file: CopiedFile,
  from: ReadCopy,
  tell: (done: number) => void,
  signal: AbortSignal,
): Promise<void> {
  let done = (await stat(path).catch(() => null))?.size ?? 0
  if (done > file.sizeBytes) {
    await rm(path)
    done = 0
  }
  const hash = createHash('sha256')
  // The part from before an interruption.
  if (done > 0) await hashInto(hash, path, signal)
  tell(done)
  if (done < file.sizeBytes || file.sizeBytes === 0) {
    const source: Readable = await from(file.name, done, signal)
    // A listener next to the pipe: a transform stream in it would cost more than hashing.
    source.on('data', (chunk: Buffer) => {
      done += chunk.length
      if (done > file.sizeBytes)
        source.destroy(new DriverError('copy_damaged', `${file.name} is longer than it was.`))
      hash.update(chunk)
      tell(done)
    })
    const target = createWriteStream(path, {
      flags: 'a',
      mode: 0o600,
      // Lets chunks accumulate during a write, to be written together.
      highWaterMark: WAITING_BYTES,
    })
    await pipeline(source, target, { signal })
  }
  if (done < file.sizeBytes)
    throw new DriverError('runtime_unavailable', `${file.name} came only in part.`, {
      retryable: true,
    })
  if (hash.digest('hex') !== file.sha256) {
    await rm(path, { force: true })
    throw new DriverError('copy_damaged', `${file.name} is not what was sent.`)
  }
  if (file.part === 'disk' && (await diskSizeBytes(path)) < MIB)
    throw new DriverError('copy_damaged', `${file.name} is no disk.`)
}
