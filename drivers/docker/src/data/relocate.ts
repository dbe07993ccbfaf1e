import { chmod, chown, mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { StorageOrDisk } from '@lodge/driver/capabilities/relocation.ts'
import { DriverError, type OnProgress } from '@lodge/driver/driver.ts'
import { syncFolder } from '@lodge/driver/durable.ts'
import { inPlace, isWhole, markWhole, notWhole, unmarkWhole } from '@lodge/driver/storage/note.ts'
import type { SharedStorages } from '@lodge/driver/storage/shared-storages.ts'
import { exists } from '@lodge/shared/local/files.ts'
import { copyTree } from './copy-tree.ts'
import { discard, discardPlaces } from './exchange.ts'
import { pathsIn, type ServerPaths } from './layout.ts'
import { closeLoopDisk, dropLoopDisk, imageBytes, makeLoopDisk } from './loop-disk.ts'
import { type DataPlaces, numbersOn } from './places.ts'

/** Changes where the data of servers lie. Its callers see to it that the server is stopped. */
export interface DataRelocation {
  /** @param ownUid its user on the node's own disk */
  copy(
    serverId: string,
    to: StorageOrDisk,
    ownUid: number,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void>
  /** @param stopped makes sure that the server is */
  place(serverId: string, on: StorageOrDisk, stopped?: () => Promise<void>): Promise<void>
  drop(serverId: string, on: StorageOrDisk): Promise<void>
  /** Puts in place what a spec names. */
  follow(serverId: string, wanted: string | undefined): Promise<void>
}

type InTurn = <T>(serverId: string, work: () => Promise<T>) => Promise<T>

/** Where a copy is made: of a kill, nothing is left in place. */
const arrivingIn = ({ home }: ServerPaths): ServerPaths => pathsIn(join(home, 'arriving'))

export function dataRelocation(given: {
  readonly places: DataPlaces
  readonly storages: SharedStorages
  /** Completes what was decided and mounts the data. */
  readonly mount: (serverId: string) => Promise<void>
  /** Keeps others away from the server's disk meanwhile. */
  readonly alone: InTurn
  /** Keeps other copies of it away. */
  readonly oneCopy: InTurn
  readonly canEnforce: () => Promise<boolean>
  /** Ends whoever works with the files. */
  readonly letGo: (serverId: string) => Promise<void>
}): DataRelocation {
  const { places, storages, mount, alone, oneCopy, canEnforce, letGo } = given
  const idOf = (serverId: string): StorageOrDisk => places.noted(serverId)?.id ?? null
  const hasOwn = async (own: ServerPaths) =>
    (await exists(own.diskImage)) || (await exists(own.data))

  /** Where the data lie on another storage, and to whom they belong there. */
  async function target(serverId: string, to: StorageOrDisk, ownUid: number) {
    const own = places.ownPaths(serverId)
    if (to === null) return { there: own, uid: ownUid }
    const storage = await storages.find(to)
    const uid = storage.uidBase + (await numbersOn(storage).take(serverId))
    return { there: pathsIn(own.folder, storage.folder(serverId)), uid }
  }

  async function copy(
    serverId: string,
    to: StorageOrDisk,
    ownUid: number,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void> {
    const begun = await alone(serverId, () => begin(serverId, to, ownUid))
    if (begun === null) return
    const { from, there, staged, uid, enforced } = begun
    try {
      // Nobody has to wait for that who reads the files meanwhile.
      const present = await stat(from)
      const owner = present.uid === uid ? null : uid
      await copyTree({ from, to: staged.data, owner, ownDisk: enforced, onProgress, signal })
      await chown(staged.data, uid, uid)
      await chmod(staged.data, present.mode & 0o7777)
      signal.throwIfAborted()
      await alone(serverId, async () => {
        if (enforced && !(await closeLoopDisk(staged))) throw stillOpen()
        await rename(staged.data, there.data)
        if (enforced) await rename(staged.diskImage, there.diskImage)
        await discard(staged)
        await syncFolder(there.home)
        if (to === null) await markWhole(there.folder)
      })
    } catch (error) {
      await alone(serverId, () => discard(staged))
      throw error
    }
  }

  /** Makes an empty place for a copy; null: the data lie there. */
  async function begin(serverId: string, to: StorageOrDisk, ownUid: number) {
    if (idOf(serverId) === to) return null
    const { there, uid } = await target(serverId, to, ownUid)
    await letGo(serverId)
    await mount(serverId)
    const staged = arrivingIn(there)
    // Whatever an interrupted attempt left, or an earlier stay.
    await forget(there)
    await mkdir(staged.folder, { recursive: true, mode: 0o711 })
    await chmod(staged.folder, 0o700)
    const limitMb = Number(await readFile(there.diskLimit, 'utf8').catch(() => Number.NaN))
    const enforced = to === null && Number.isFinite(limitMb) && (await canEnforce())
    if (enforced) await makeLoopDisk(staged, imageBytes(limitMb))
    else await mkdir(staged.data)
    return { from: places.paths(serverId).data, there, staged, uid, enforced }
  }

  /** Deletes data that are not in place; first they no longer count as whole. */
  async function forget(there: ServerPaths): Promise<void> {
    if (there.folder === there.home) await unmarkWhole(there.folder)
    const aside = arrivingIn(there)
    await discard(aside)
    if (await exists(there.diskImage)) await dropLoopDisk(there)
    // On a storage its name alone says that it is whole, so it loses that before it loses a file.
    if (there.folder !== there.home && (await exists(there.data))) {
      await mkdir(aside.folder, { mode: 0o700 })
      await rename(there.data, aside.data)
      await syncFolder(there.home)
      await discard(aside)
    }
    for (const path of [there.diskImage, there.data])
      await rm(path, { recursive: true, force: true })
  }

  async function place(
    serverId: string,
    on: StorageOrDisk,
    stopped: () => Promise<void> = async () => {},
  ): Promise<void> {
    const own = places.ownPaths(serverId)
    if (idOf(serverId) === on) return void (await places.storageOf(serverId))
    await stopped()
    if (on === null) {
      if (!(await isWhole(own.folder))) throw notWhole()
      await letGo(serverId)
      await places.putOnDisk(serverId)
      await mount(serverId)
      return
    }
    const storage = await storages.find(on)
    if (!(await exists(join(storage.folder(serverId), 'data')))) throw notWhole()
    await letGo(serverId)
    if (idOf(serverId) === null && (await hasOwn(own))) {
      await mount(serverId)
      // Its image may go at any time from now on.
      if ((await exists(own.diskImage)) && !(await closeLoopDisk(own))) throw stillOpen()
      await markWhole(own.folder)
    }
    await places.put(serverId, on)
  }

  return {
    copy: (...args) => oneCopy(args[0], () => copy(...args)),
    place: (...args) => alone(args[0], () => place(...args)),
    drop: (serverId, on) =>
      alone(serverId, async () => {
        const own = places.ownPaths(serverId)
        const isHere = await exists(own.folder)
        if (isHere && idOf(serverId) === on) throw inPlace()
        if (on === null) {
          if (!isHere) return
          await forget(own)
          await discardPlaces(own)
          return
        }
        const storage = await storages.find(on)
        const there = pathsIn(own.folder, storage.folder(serverId))
        await forget(there)
        await rm(there.home, { recursive: true, force: true })
        // Released last: until then no other server may get this user id.
        await numbersOn(storage).release(serverId)
      }),
    follow: (serverId, wanted) =>
      alone(serverId, async () => {
        const own = places.ownPaths(serverId)
        const isNew = places.noted(serverId) === null && !(await hasOwn(own))
        if (wanted === undefined) {
          // Without a copy on the disk, the data of an earlier spec stay where they are.
          if (idOf(serverId) !== null && (await isWhole(own.folder))) await place(serverId, null)
        } else if (isNew) await places.put(serverId, wanted)
        else await place(serverId, wanted)
      }),
  }
}

const stillOpen = () =>
  new DriverError('not_stopped', 'Files of the server are still open.', { retryable: true })
