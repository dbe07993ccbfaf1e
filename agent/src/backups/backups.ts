import type { BackupStore, OpenRepository } from '@lodge/driver/backup-store.ts'
import type { Backups as DriverBackups } from '@lodge/driver/capabilities/backups.ts'
import { DriverError, type OnProgress, type Progress } from '@lodge/driver/driver.ts'
import {
  BackupWork,
  type ListedFolder,
  type MadeBackup,
  type RestoredFiles,
} from '@lodge/shared/backup-work.ts'
import { watchGrowth } from '@lodge/shared/local/watch-growth.ts'
import type { TellWay } from '../direct/reach.ts'
import type { AnyDriver } from '../drivers.ts'
import { document } from '../machines/machine-tasks.ts'
import type { Places } from '../places.ts'
import { Locks } from './locks.ts'
import type { Quiet } from './quiet.ts'
import { readBack } from './read-back.ts'
import type { Links } from './storage/links.ts'

export interface BackupsOptions {
  readonly store: BackupStore
  /** Reaches repositories on other nodes. */
  readonly links: Links
  /** Deletes a repository that this node keeps for another. */
  readonly drop: (repositoryId: string) => Promise<void>
  readonly driverOf: (serverId: string) => AnyDriver
  readonly quiet: Quiet
  /** The server's run if it runs now, otherwise null. */
  readonly runOf: (serverId: string) => number | null
  readonly places: Places
  /** Ends the processes that have a server's files open, such as its file helper. */
  readonly letGo: (serverId: string) => Promise<void>
  /** Frees space for this many bytes by emptying the server's bin as far as needed. */
  readonly makeRoom: (serverId: string, bytes: number) => Promise<void>
  /** Resolves once it is known which servers run. */
  readonly knows: (serverId: string) => Promise<void>
}

type Opened<Work> = Work extends { repository: unknown }
  ? Omit<Work, 'repository'> & { readonly repository: OpenRepository }
  : Work
type OpenWork = Opened<BackupWork>
type Of<Do extends OpenWork['do']> = Extract<OpenWork, { do: Do }>

/** What this node does with the backups of its servers. Every piece of work can be repeated. */
export class Backups {
  readonly #options: BackupsOptions
  /** A server's folder is used again only once a cancelled task has let go of it. */
  readonly #turns = new Locks()

  constructor(options: BackupsOptions) {
    this.#options = options
  }

  /**
   * @param text a `BackupWork` document
   * @returns a document too, or nothing
   */
  async run(
    serverId: string,
    text: string,
    onProgress: OnProgress,
    signal: AbortSignal,
    tellWay?: TellWay,
  ): Promise<string> {
    const work = document(BackupWork, text)
    const turn = 'restoreId' in work ? work.restoreId : work.do === 'create' ? serverId : null
    const run = () =>
      'repository' in work
        ? this.#options.links(
            work.repository,
            (repository) => this.#run(serverId, { ...work, repository }, onProgress, signal),
            tellWay,
          )
        : this.#run(serverId, work, onProgress, signal)
    return turn === null ? await run() : await this.#turns.during(turn, true, run)
  }

  async #run(
    serverId: string,
    work: OpenWork,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<string> {
    const { store, drop, knows, places } = this.#options
    const { relocations } = places
    signal.throwIfAborted()
    switch (work.do) {
      case 'create':
        await knows(serverId)
        return JSON.stringify(await this.#create(serverId, work, onProgress, signal))
      case 'verify':
        await readBack(store, work, onProgress, signal)
        return ''
      case 'stage':
        await this.#stage(serverId, work, onProgress, signal)
        return ''
      case 'swap':
        await this.#requireStopped(serverId)
        // Carry over what the backup left out: a restore destroys nothing that it does not bring back.
        await this.#data(serverId).carry?.(serverId, work.restoreId, onProgress, signal)
        await this.#data(serverId).swap(serverId, work.restoreId)
        return ''
      case 'swap-back':
        await this.#requireStopped(serverId)
        await this.#data(serverId).swapBack(serverId, work.restoreId)
        return ''
      case 'settle':
        await this.#data(serverId).settle(serverId, work.restoreId)
        return ''
      case 'restore-files':
        return JSON.stringify(await this.#restoreFiles(serverId, work, onProgress, signal))
      case 'list': {
        const listed: ListedFolder = await store.list(work, signal)
        return JSON.stringify(listed)
      }
      case 'forget':
        await store.forget(work.repository, work.backupIds, signal)
        return ''
      case 'prune':
        await store.prune(work.repository, onProgress, signal)
        return ''
      case 'drop':
        await drop(work.repositoryId)
        return ''
      case 'make-place': {
        await knows(serverId)
        await places.make(serverId, work, onProgress, signal)
        return ''
      }
      case 'make-machine': {
        await knows(serverId)
        const { placementGeneration, spec } = work
        await places.makeMachine(serverId, placementGeneration, spec, onProgress, signal)
        return ''
      }
      case 'adopt':
        places.adopt(serverId, work.placementGeneration)
        return ''
      case 'supersede':
        await knows(serverId)
        await places.supersede(serverId, work.placementGeneration, signal)
        return ''
      case 'discard':
        await knows(serverId)
        await places.discard(serverId, work)
        return ''
      case 'copy-to-storage':
        await this.#requireStopped(serverId)
        await relocations.copy(serverId, work, onProgress, signal)
        return ''
      case 'change-storage':
        await knows(serverId)
        await relocations.change(serverId, work)
        return ''
      case 'drop-copy':
        await knows(serverId)
        await relocations.drop(serverId, work)
        return ''
    }
  }

  async #create(
    serverId: string,
    { repository, backupId, commands, alone, ignored = [] }: Of<'create'>,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<MadeBackup> {
    const { store, quiet, runOf, letGo } = this.#options
    if (alone) await letGo(serverId)
    const data = this.#data(serverId)
    // Also mounts it, after a reboot for example: an empty mount point must never be backed up.
    const folder = await data.open(serverId)
    const run = runOf(serverId)
    const isQuiet = commands !== undefined && run !== null
    try {
      // Whatever an earlier attempt left is ended first.
      await quiet.end(serverId)
      if (isQuiet) await quiet.begin(serverId, run, commands, signal)
      const frozen = await data.freeze(serverId, onProgress, signal)
      try {
        if (frozen) await quiet.end(serverId)
        const takenWhileRunning = () => {
          if (frozen) return frozen.takenWhileRunning
          const ranMeanwhile = run !== null || runOf(serverId) !== null
          const kept = isQuiet && runOf(serverId) === run
          return ranMeanwhile && !kept
        }
        const copied = {
          ...{ repository, backupId, folder: frozen?.folder ?? folder, changing: !frozen },
          ...{ ignored, takenWhileRunning },
        }
        return await store.create(copied, onProgress, signal)
      } finally {
        await frozen?.release()
      }
    } finally {
      await quiet.end(serverId)
    }
  }

  async #stage(
    serverId: string,
    { repository, snapshotId, restoreId, sizeBytes }: Of<'stage'>,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void> {
    const data = this.#data(serverId)
    const folder = await data.stage(serverId, restoreId, sizeBytes, signal)
    const watch = watchGrowth(folder, (grown) => onProgress(arrived(grown, sizeBytes)))
    try {
      const restored = { repository, snapshotId, folder }
      const ignored = await this.#options.store.restore(restored, () => {}, signal)
      if (ignored.length > 0 && !data.carry)
        throw new DriverError('unsupported', 'This node cannot restore this backup.')
      await data.complete(serverId, restoreId, signal, ignored)
    } catch (error) {
      await data.settle(serverId, restoreId)
      throw error
    } finally {
      watch.stop()
    }
  }

  async #restoreFiles(
    serverId: string,
    { repository, snapshotId, restoreId, paths, into, keep }: Of<'restore-files'>,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<RestoredFiles> {
    const data = this.#data(serverId)
    const sizeBytes = await this.#options.store.sizeOf({ repository, snapshotId, paths }, signal)
    const folder = await data.stage(serverId, restoreId, sizeBytes, signal)
    try {
      await this.#options.store.restore(
        { repository, snapshotId, folder, paths },
        onProgress,
        signal,
      )
      await data.complete(serverId, restoreId, signal)
      await this.#options.makeRoom(serverId, sizeBytes)
      return {
        kept: await data.put(serverId, restoreId, { paths, into, keep: keep ?? null }, signal),
      }
    } finally {
      await data.settle(serverId, restoreId)
    }
  }

  async #requireStopped(serverId: string): Promise<void> {
    await this.#options.knows(serverId)
    if (this.#options.runOf(serverId) === null) return
    throw new DriverError('not_stopped', 'The server still runs.', { retryable: true })
  }

  #data(serverId: string): DriverBackups {
    const { backups } = this.#options.driverOf(serverId)
    if (backups) return backups
    throw new DriverError('unsupported', 'This node cannot back up this server.')
  }
}

/** How much of a restore has arrived, as far as its file system tells. */
function arrived(grown: number | null, total: number): Progress {
  const done = grown === null ? null : Math.min(grown, total)
  return {
    step: 'copy',
    percent: done === null || total === 0 ? null : Math.min(99, (done / total) * 100),
    detail: 'Restoring beside the present files, which are not touched',
    ...(done !== null && { bytes: { done, total } }),
  }
}
