import { chmod, chown, mkdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Backups } from '@lodge/driver/capabilities/backups.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import { syncFolder, writeDurably } from '@lodge/driver/durable.ts'
import { runProgram } from '@lodge/driver/run-program.ts'
import { exists } from '@lodge/shared/local/files.ts'
import { carryOver } from './carry-over.ts'
import { RESERVE_BYTES } from './copying.ts'
import { freezeData } from './freeze.ts'
import { pathsIn, type ServerPaths } from './layout.ts'
import {
  closeLoopDisk,
  dropLoopDisk,
  fileSystemBytes,
  makeLoopDisk,
  mountLoopDisk,
} from './loop-disk.ts'
import { putFiles } from './put-files.ts'

/**
 * The journal of an exchange. Once it is written the exchange is decided, and whoever opens the
 * data next completes it; `done` once it is.
 */
interface Exchange {
  readonly restoreId: string
  readonly inPlace: 'restored' | 'former'
  readonly done: boolean
}

/** Where an exchange keeps its files, beside a server's data. */
const placesOf = (own: ServerPaths) => ({
  staged: pathsIn(join(own.home, 'restore')),
  former: pathsIn(join(own.home, 'former')),
  journal: join(own.home, 'exchange.json'),
})

/** What the backup of staged data left out on purpose: it stays with them until the exchange. */
const leftOutOf = (staged: ServerPaths) => join(staged.folder, 'left-out.json')

async function readLeftOut(staged: ServerPaths): Promise<readonly string[]> {
  const text = await readFile(leftOutOf(staged), 'utf8').catch(() => '[]')
  return JSON.parse(text) as readonly string[]
}

async function readExchange(own: ServerPaths): Promise<Exchange | null> {
  const text = await readFile(placesOf(own).journal, 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as Exchange)
}

async function writeExchange(own: ServerPaths, exchange: Exchange): Promise<void> {
  await writeDurably(placesOf(own).journal, JSON.stringify(exchange))
  await syncFolder(own.home)
}

/**
 * Completes an exchange that was decided. Called before anything opens the data, so that after a
 * crash at any point either the former or the restored data is in place, whole.
 */
export async function completeExchange(own: ServerPaths): Promise<void> {
  const exchange = await readExchange(own)
  if (!exchange || exchange.done) return
  const { staged, former } = placesOf(own)
  const restoring = exchange.inPlace === 'restored'
  const [coming, going] = restoring ? [staged, former] : [former, staged]
  await mkdir(going.folder, { recursive: true, mode: 0o700 })
  const part = (await isLoop(own, coming, going)) ? 'diskImage' : 'data'
  // What is coming is still there: the exchange of names has not been completed.
  if (await exists(coming[part])) {
    if (await exists(own[part])) await rename(own[part], going[part])
    await rename(coming[part], own[part])
    await syncFolder(own.home)
  }
  await writeExchange(own, { ...exchange, done: true })
}

const isLoop = async (...places: ServerPaths[]) =>
  (await Promise.all(places.map(({ diskImage }) => exists(diskImage)))).includes(true)

export function dataExchange(given: {
  readonly paths: (serverId: string) => ServerPaths
  /** Completes what was decided and mounts the data. */
  readonly mount: (serverId: string) => Promise<void>
  /** Keeps others away from the server's disk meanwhile. */
  readonly alone: <T>(serverId: string, work: () => Promise<T>) => Promise<T>
  /** What the limit of the data leaves; null without one. */
  readonly freeBytes: (serverId: string) => Promise<number | null>
  /** Ends whoever works with the files. */
  readonly letGo: (serverId: string) => Promise<void>
}): Backups {
  const { paths, mount, alone, freeBytes, letGo } = given

  /** Unmounts a disk for good, so that its image may be renamed. */
  async function close(places: readonly ServerPaths[]): Promise<void> {
    for (const place of places) {
      if (!(await exists(place.diskImage))) continue
      if (!(await closeLoopDisk(place)))
        throw new DriverError('not_stopped', 'Files of the server are still open.', {
          retryable: true,
        })
    }
  }

  async function exchange(serverId: string, wanted: Omit<Exchange, 'done'>): Promise<void> {
    const own = paths(serverId)
    const { staged, former } = placesOf(own)
    try {
      await letGo(serverId)
      await close([own, staged, former])
      await writeExchange(own, { ...wanted, done: false })
    } finally {
      await mount(serverId)
    }
  }

  return {
    open: (serverId) =>
      alone(serverId, async () => {
        await mount(serverId)
        return paths(serverId).data
      }),

    stage: (serverId, restoreId, sizeBytes, signal) =>
      alone(serverId, async () => {
        await mount(serverId)
        const own = paths(serverId)
        const { staged } = placesOf(own)
        await discard(staged)
        const { bavail, bsize } = await statfs(own.home)
        if (bavail * bsize < sizeBytes + RESERVE_BYTES)
          throw new DriverError(
            'disk_full',
            'The node has no room to restore beside the present files, which is how nothing is lost.',
          )
        signal.throwIfAborted()
        await mkdir(staged.folder, { mode: 0o700 })
        if (await exists(own.diskImage))
          await makeLoopDisk(staged, await fileSystemBytes(own.diskImage))
        else await mkdir(staged.data)
        await writeDurably(join(staged.folder, 'restore-id'), restoreId)
        return staged.data
      }),

    async complete(serverId, _restoreId, signal, ignored = []) {
      const own = paths(serverId)
      const { staged } = placesOf(own)
      const [present, restored] = await Promise.all([stat(own.data), stat(staged.data)])
      // Of another server, or of an earlier life of this one.
      if (restored.uid !== present.uid) await giveAll(staged.data, present.uid, signal, notGiven)
      await chown(staged.data, present.uid, present.gid)
      await chmod(staged.data, present.mode & 0o7777)
      await runProgram('sync', ['-f', '--', staged.data], { signal, deadlineMs: 600_000 })
      await writeDurably(leftOutOf(staged), JSON.stringify(ignored))
      await writeDurably(join(staged.folder, 'complete'), '')
    },

    async carry(serverId, restoreId, onProgress, signal) {
      const own = paths(serverId)
      const { staged } = placesOf(own)
      const patterns = await readLeftOut(staged)
      if (patterns.length === 0) return
      await letGo(serverId)
      const isInPlace = await alone(serverId, async () => {
        await mount(serverId)
        const before = await readExchange(own)
        if (before?.restoreId === restoreId && before.inPlace === 'restored') return true
        // After a reboot, for example.
        if (await exists(staged.diskImage)) await mountLoopDisk(staged)
        return false
      })
      if (isInPlace) return
      onProgress({ step: 'copy', percent: null, detail: 'Keeping what the backup leaves out' })
      const reserveBytes = (await exists(staged.diskImage)) ? 0 : RESERVE_BYTES
      await carryOver({ from: own.data, to: staged.data, patterns, reserveBytes, signal })
    },

    swap: (serverId, restoreId) =>
      alone(serverId, async () => {
        const own = paths(serverId)
        await mount(serverId)
        const before = await readExchange(own)
        if (before?.restoreId === restoreId && before.inPlace === 'restored') return
        const { staged, former } = placesOf(own)
        const id = await readFile(join(staged.folder, 'restore-id'), 'utf8').catch(() => null)
        if (id !== restoreId || !(await exists(join(staged.folder, 'complete'))))
          throw new DriverError('not_found', 'Nothing was restored to be put in place.')
        // Of an earlier restore, which has long been settled.
        await discard(former)
        await mkdir(former.folder, { mode: 0o700 })
        await exchange(serverId, { restoreId, inPlace: 'restored' })
      }),

    swapBack: (serverId, restoreId) =>
      alone(serverId, async () => {
        const own = paths(serverId)
        await mount(serverId)
        const before = await readExchange(own)
        if (before?.restoreId !== restoreId || before.inPlace === 'former') return
        await exchange(serverId, { restoreId, inPlace: 'former' })
      }),

    settle: (serverId, restoreId) =>
      alone(serverId, async () => {
        const own = paths(serverId)
        if (!(await exists(own.home))) return
        await mount(serverId)
        const before = await readExchange(own)
        const { staged, former, journal } = placesOf(own)
        if (await isStagedFor(staged, restoreId)) await discard(staged)
        if (before && before.restoreId !== restoreId) return
        // Without a journal no exchange was decided, and a crash left the place for one.
        await discard(former)
        await rm(journal, { force: true })
      }),

    async put(serverId, _restoreId, { paths: wanted, into, keep }, signal) {
      const own = paths(serverId)
      const { staged } = placesOf(own)
      return await putFiles({
        from: staged.data,
        to: own.data,
        paths: wanted,
        into,
        keep,
        freeBytes: await freeBytes(serverId),
        signal,
      })
    },

    freeze: (serverId, _onProgress, signal) => freezeData(paths(serverId), signal),
  }
}

/**
 * Whether what is staged belongs to this restore, or to none because a crash came first. A restore
 * is settled late when its node was away, and another may have begun since.
 */
async function isStagedFor(staged: ServerPaths, restoreId: string): Promise<boolean> {
  const id = await readFile(join(staged.folder, 'restore-id'), 'utf8').catch(() => null)
  return id === null || id === restoreId
}

/** Deletes data that are not in place. */
export async function discard(place: ServerPaths): Promise<void> {
  if (await exists(place.diskImage)) await dropLoopDisk(place)
  await rm(place.folder, { recursive: true, force: true })
}

/** Deletes everything that backups and restores keep beside a server's data. */
export async function discardPlaces(own: ServerPaths): Promise<void> {
  const { staged, former } = placesOf(own)
  for (const name of ['frozen', 'arriving']) await discard(pathsIn(join(own.home, name)))
  for (const place of [staged, former]) await discard(place)
}

/** Not `copy_damaged`, which says that the backup is. */
const notGiven = (cause: string) =>
  new DriverError('not_permitted', 'The restored files could not be given to the server.', {
    cause,
  })

/**
 * Gives everything in a folder to a user.
 * @param failed what to throw if that fails
 */
export async function giveAll(
  folder: string,
  uid: number,
  signal: AbortSignal,
  failed: (output: string) => DriverError,
): Promise<void> {
  const { code, output } = await runProgram('chown', ['-hR', `${uid}:${uid}`, '--', folder], {
    signal,
    deadlineMs: 3_600_000,
  })
  if (code !== 0) throw failed(output)
}
