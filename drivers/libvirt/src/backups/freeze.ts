import { chown, copyFile, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FrozenData } from '@lodge/driver/capabilities/backups.ts'
import { DriverError, type OnProgress } from '@lodge/driver/driver.ts'
import type { DriverWarning } from '@lodge/shared/driver-warnings.ts'
import { exists } from '@lodge/shared/local/files.ts'
import { diskName, type PartFile, partsOf, stoppedMachine } from '../copies/parts-of.ts'
import { requireRoom } from '../copies/room.ts'
import { BACKUP, type MachinePaths, machinePaths } from '../data/layout.ts'
import type { Disks } from '../disks/disks.ts'
import { fileDisks } from '../disks/file-disks.ts'
import { disksOf } from '../disks/of-machine.ts'
import type { Domain } from '../domain/domains.ts'
import type { Locks } from '../host/locks.ts'
import { qemuUser } from '../host/system-user.ts'
import type { Parts } from '../parts.ts'
import { endingAgain } from './ending-again.ts'
import { TPM_FOLDER } from './exchange.ts'
import { writeFacts } from './facts.ts'
import { beginLiveCopy, endLiveCopy, waitForLiveCopy } from './live-copy.ts'
import { quietGuest, wakeGuest } from './quiet-guest.ts'

/** Disks to be copied, by id. */
interface CopiedDisks {
  readonly from: Disks
  readonly paths: readonly (readonly [id: string, path: string])[]
  /** They are of a moment, and nothing but this needs them. */
  readonly areCopies: boolean
}

/** Copies of machines as of one moment, which backups are read from. */
export interface FrozenCopies {
  freeze(serverId: string, onProgress: OnProgress, signal: AbortSignal): Promise<FrozenData>
  /** Undoes what a killed process left behind; what fails is tried again soon. */
  endLeft(): Promise<void>
  /** What is left and could not be undone so far, for the node's administrator. */
  complaints(): DriverWarning[]
  close(): void
}

/**
 * The blocks of a disk are always copied in the order of the guest, so that copies of the same disk
 * differ only where the disk does, however its file came to be.
 */
export function frozenCopies(parts: Parts): FrozenCopies {
  const { domains, locks, places, settings } = parts
  const copying = new Set<string>()
  const pathsOf = (serverId: string) => machinePaths(settings.dataRoot, serverId)

  async function end(serverId: string): Promise<void> {
    try {
      await endOnce(serverId)
      again.done(serverId)
    } catch (error) {
      again.failed(serverId, error)
      throw error
    }
  }

  async function endOnce(serverId: string): Promise<void> {
    await places.require(serverId)
    const { backup } = pathsOf(serverId)
    if (!(await exists(backup))) return
    const found = await domains.find(serverId)
    if (found?.active) {
      try {
        await wakeGuest(parts, found.uuid, backup)
      } finally {
        await endLiveCopy(parts, found.uuid, backup)
      }
    }
    await rm(backup, { recursive: true, force: true })
  }

  /** Ends what no copy under way needs. Never throws: what fails is tried again. */
  async function endIfLeft(
    serverId: string,
    hold: Locks['hold'] | Locks['holdIfFree'] = locks.hold,
  ): Promise<void> {
    const work = async () => {
      if (!copying.has(serverId)) await end(serverId)
    }
    await hold(serverId, work).catch(() => undefined)
  }
  const again = endingAgain({ end: (serverId) => endIfLeft(serverId), log: settings.log })

  async function prepare(machine: Domain): Promise<{ data: string; files: readonly PartFile[] }> {
    await end(machine.record.serverId)
    const paths = pathsOf(machine.record.serverId)
    const { backup } = paths
    await removeCopiesOfOthers(paths)
    const files = await partsOf(parts, machine)
    await requireRoom(paths, files, machine.active)
    const data = join(backup, 'data')
    await mkdir(backup, { mode: 0o711 })
    await mkdir(join(data, TPM_FOLDER), { recursive: true, mode: 0o700 })
    await writeFacts(data, machine)
    return { data, files }
  }

  async function copySmall(data: string, files: readonly PartFile[]): Promise<void> {
    for (const { name, part, path } of files) {
      if (part === 'disk') continue
      await copyFile(path, join(data, part === 'tpm' ? TPM_FOLDER : '', name))
    }
  }

  /** Copies disks, each of which is deleted afterwards if it is itself a copy. */
  async function copyDisks(
    data: string,
    { from, paths, areCopies }: CopiedDisks,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void> {
    for (const [id, path] of paths) {
      const name = diskName(id)
      const tell = (percent: number) =>
        onProgress({ step: 'copy', percent, detail: `Copying ${name}` })
      await from.copyOut(path, join(data, name), tell, signal)
      if (areCopies) await rm(path)
    }
  }

  /** A stopped machine waits to start until its disks are copied. */
  async function copyStopped(serverId: string, onProgress: OnProgress, signal: AbortSignal) {
    const machine = await stoppedMachine(parts, serverId)
    const { data, files } = await prepare(machine)
    await copySmall(data, files)
    const own = pathsOf(serverId)
    const paths = machine.record.spec.disks.map(({ id }) => [id, own.disk(id)] as const)
    await copyDisks(data, { from: disksOf(own), paths, areCopies: false }, onProgress, signal)
    return { data, quiet: true }
  }

  /** A running machine goes on: QEMU copies each block before the guest overwrites it. */
  async function beginRunning(machine: Domain) {
    const { record, uuid } = machine
    const { backup } = pathsOf(record.serverId)
    const { data, files } = await prepare(machine)
    const pushed = join(backup, 'pushed')
    await mkdir(pushed, { mode: 0o700 })
    const { uid, gid } = await qemuUser()
    await chown(pushed, uid, gid)
    const pathOf = (id: string) => join(pushed, diskName(id))
    const paths = record.spec.disks.map(({ id }) => [id, pathOf(id)] as const)
    const disks: CopiedDisks = { from: fileDisks, paths, areCopies: true }
    try {
      const quiet = await quietGuest(parts, machine, backup)
      await beginLiveCopy(parts, machine, pathOf)
      await copySmall(data, files)
      return { data, disks, quiet }
    } finally {
      await wakeGuest(parts, uuid, backup)
    }
  }

  async function copy(serverId: string, onProgress: OnProgress, signal: AbortSignal) {
    const begun = await locks.hold(serverId, async () => {
      signal.throwIfAborted()
      const machine = await domains.get(serverId)
      if (machine.halfStarted)
        throw new DriverError('not_stopped', 'The machine is being started.', { retryable: true })
      if (!machine.active) return await copyStopped(serverId, onProgress, signal)
      return { machine, ...(await beginRunning(machine)) }
    })
    if (!('machine' in begun)) return begun
    const { machine, data, disks, quiet } = begun
    await waitForLiveCopy(parts, machine, onProgress, signal)
    await copyDisks(data, disks, onProgress, signal)
    return { data, quiet }
  }

  return {
    async freeze(serverId, onProgress, signal) {
      copying.add(serverId)
      const release = async () => {
        try {
          await end(serverId)
        } finally {
          copying.delete(serverId)
        }
      }
      try {
        const { data, quiet } = await copy(serverId, onProgress, signal)
        return { folder: data, takenWhileRunning: !quiet, release }
      } catch (error) {
        await release()
        throw error
      }
    },

    async endLeft() {
      const all = await domains.list()
      // Beside each other, since one may lie on a storage that does not answer.
      await Promise.all(
        all.map(async ({ record: { serverId } }) => {
          if (copying.has(serverId) || again.isTrying(serverId)) return
          // A copy on a storage that is away is ended by the next backup.
          const isThere = await places.require(serverId).then(
            () => true,
            () => false,
          )
          if (isThere && (await exists(pathsOf(serverId).backup)))
            await endIfLeft(serverId, locks.holdIfFree)
        }),
      )
    },
    complaints: again.complaints,
    close: again.close,
  }
}

/**
 * A node that was lost in a backup has left its copy on the shared storage. Whoever backs the machine
 * up has it, so no other node still makes one.
 */
async function removeCopiesOfOthers({ storage, home, backup }: MachinePaths): Promise<void> {
  if (storage === null) return
  for (const name of await readdir(home)) {
    const path = join(home, name)
    if (name.startsWith(`${BACKUP}-`) && path !== backup)
      await rm(path, { recursive: true, force: true })
  }
}
