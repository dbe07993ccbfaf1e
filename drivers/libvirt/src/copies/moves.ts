import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, link, mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DriverError, type OnProgress, type ServerRef } from '@lodge/driver/driver.ts'
import { specFingerprint } from '@lodge/driver/fingerprint.ts'
import type { Machines } from '@lodge/driver/machines.ts'
import { type CopiedFile, MachineManifest } from '@lodge/shared/machine-copy.ts'
import type { MachineSpec } from '@lodge/shared/machine-spec.ts'
import { writeData } from '../data.ts'
import { makeFolders } from '../disks/shape.ts'
import { syncPath, writeWhole } from '../files.ts'
import { type MachinePaths, machinePaths } from '../layout.ts'
import { diskSizeBytes } from '../media/headers.ts'
import type { Parts } from '../parts.ts'
import type { Provisioning } from '../provision.ts'
import { fingerprintOf, partsOf, placeOf, stoppedMachine, tpmStateFolder } from './parts-of.ts'
import { adopt, emptyTpm } from './snapshots.ts'

const MIB = 1024 * 1024
/** No file of a copy is called so. */
const WHOSE = '.uuid'

type Work = Pick<Machines, 'exportManifest' | 'readExport' | 'importMachine'>
type Read = Parameters<Machines['importMachine']>[3]

/** Machines that go to another node: told file by file, made there only when every file is what it was. */
export function moves(parts: Parts, applyUnlocked: Provisioning['applyUnlocked']): Work {
  const { domains, locks, settings } = parts

  async function manifest(serverId: string, onProgress: OnProgress, signal: AbortSignal) {
    const machine = await stoppedMachine(parts, serverId)
    const sources = await partsOf(parts, machine)
    const sizes = await Promise.all(sources.map(async ({ path }) => (await stat(path)).size))
    const total = sizes.reduce((sum, size) => sum + size, 0)
    let done = 0
    const files: CopiedFile[] = []
    for (const [index, { name, part, path }] of sources.entries()) {
      const sha256 = await fingerprintOf(path, signal, (count) => {
        done += count
        const percent = (done / Math.max(1, total)) * 100
        onProgress({ step: 'verify', percent, detail: `Reading ${name}`, bytes: { done, total } })
      })
      files.push({ name, part, sizeBytes: sizes[index] ?? 0, sha256 })
    }
    return { version: 1 as const, serverId, uuid: machine.uuid, files }
  }

  async function read(serverId: string, name: string, offset: number, signal: AbortSignal) {
    const machine = await stoppedMachine(parts, serverId)
    const file = (await partsOf(parts, machine)).find((one) => one.name === name)
    if (!file) throw new DriverError('not_found', 'The machine has no such file.')
    return createReadStream(file.path, { start: offset, highWaterMark: 256 * 1024, signal })
  }

  async function arrive(
    server: ServerRef,
    spec: MachineSpec,
    given: MachineManifest,
    from: Read,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void> {
    const known = await domains.find(server.serverId)
    if (known?.uuid === spec.uuid) return
    const parsed = MachineManifest.safeParse(given)
    if (!parsed.success || given.uuid !== spec.uuid)
      throw new DriverError('copy_damaged', 'The list of files is not that of this machine.')
    const { files } = parsed.data
    requireWhole(files, spec)
    const paths = machinePaths(settings.dataRoot, server.serverId)
    await makeFolders(paths)
    await mkdir(paths.arriving, { recursive: true, mode: 0o700 })
    await writeWhole(join(paths.arriving, WHOSE), spec.uuid)
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
    onProgress({ step: 'verify', percent: 100, detail: 'Every file is what it was' })
    if (files.some(({ part }) => part === 'tpm')) await emptyTpm(tpmStateFolder(parts, spec.uuid))
    for (const file of files) {
      const [here, to] = [
        join(paths.arriving, file.name),
        placeOf(parts, server.serverId, spec.uuid, file),
      ]
      if (file.part === 'tpm') await adopt(here, to)
      else {
        // Two names for one file: until the machine is defined nothing has to be fetched again.
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
    try {
      await applyUnlocked(server, spec, onProgress, signal)
    } catch (error) {
      // Without a machine this is no server yet.
      await rm(paths.record, { force: true })
      throw error
    }
    await rm(paths.arriving, { recursive: true, force: true })
  }

  return {
    exportManifest: (serverId, onProgress, signal) =>
      locks.hold(serverId, () => manifest(serverId, onProgress, signal)),
    readExport: (serverId, name, offset, signal) =>
      locks.hold(serverId, () => read(serverId, name, offset, signal)),
    importMachine: (server, spec, given, from, onProgress, signal) =>
      locks.hold(server.serverId, () => arrive(server, spec, given, from, onProgress, signal)),
  }
}

/** The UUID of a machine that is arriving, or null. */
export async function arrivingUuid(paths: MachinePaths): Promise<string | null> {
  const text = await readFile(join(paths.arriving, WHOSE), 'utf8').catch(() => '')
  return /^[0-9a-f-]{36}$/.test(text) ? text : null
}

/** A copy without one of its disks would be made whole with an empty one. */
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

/** Fetches what is missing of a file and proves that it is the one that was told. */
async function receive(
  path: string,
  file: CopiedFile,
  from: Read,
  tell: (done: number) => void,
  signal: AbortSignal,
): Promise<void> {
  let done = (await stat(path).catch(() => null))?.size ?? 0
  if (done > file.sizeBytes) {
    await rm(path)
    done = 0
  }
  tell(done)
  if (done < file.sizeBytes || file.sizeBytes === 0) {
    const source: Readable = await from(file.name, done, signal)
    await pipeline(
      source,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          done += chunk.length
          if (done > file.sizeBytes)
            throw new DriverError('copy_damaged', `${file.name} is longer than it was.`)
          tell(done)
          yield chunk
        }
      },
      createWriteStream(path, { flags: 'a', mode: 0o600 }),
      { signal },
    )
  }
  if (done < file.sizeBytes)
    throw new DriverError('runtime_unavailable', `${file.name} came only in part.`, {
      retryable: true,
    })
  if ((await fingerprintOf(path, signal)) !== file.sha256) {
    await rm(path, { force: true })
    throw new DriverError('copy_damaged', `${file.name} is not what was sent.`)
  }
  await syncPath(path)
  if (file.part === 'disk' && (await diskSizeBytes(path)) < MIB)
    throw new DriverError('copy_damaged', `${file.name} is no disk.`)
}
