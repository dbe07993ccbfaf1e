import type { Readable } from 'node:stream'
import type { BackupRepository, ListedFolder, MadeBackup } from '@lodge/shared/backup-work.ts'
import type { OnProgress } from './work.ts'

type Location = BackupRepository['location']

/** A repository on another node that a connection leads to. */
export interface LinkedStorage {
  readonly kind: 'linked'
  /** Where restic's protocol for storages is spoken, with what proves that it is us. */
  readonly url: string
  /** Aborted with a `DriverError` when the other node is gone or takes no more. */
  readonly ended: AbortSignal
}

/** A repository that can be used at once. */
export type OpenRepository = Omit<BackupRepository, 'location'> & {
  readonly location: Exclude<Location, { kind: 'other-node' | 'kept-here' }> | LinkedStorage
}

/** The formats in which a backup leaves the node. */
export type ArchiveFormat = 'tar' | 'tar.gz' | 'tar.zst'

/**
 * Keeps encrypted copies of folders in repositories. Whatever it reads or writes, it reaches nothing
 * outside of the given folders. Every method can be repeated after a crash, and an aborted one
 * leaves no half backup. Throws `DriverError`: `copy_damaged` for a repository that is not what was
 * written, `copy_unreadable` for one of which nobody can tell, `runtime_unavailable` while it is away,
 * `disk_full`, `unsupported` where the node lacks a program.
 */
export interface BackupStore {
  /** Why this node cannot do it, for its administrator; null if it can. */
  complaint(): Promise<string | null>
  /** Copies a folder, all of it or nothing. If the backup exists already, describes it. */
  create(
    given: {
      readonly repository: OpenRepository
      readonly backupId: string
      readonly folder: string
      /** What is left out, as `IgnoreList` has it. */
      readonly ignored?: readonly string[]
      /** Files may disappear while they are read, because the server runs. */
      readonly changing: boolean
      /** Whether the server ran meanwhile; asked once everything is copied. */
      readonly takenWhileRunning: () => boolean
    },
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<MadeBackup>
  /**
   * Restores into an empty folder and compares it with the backup; only `paths` if given.
   * @returns what the backup left out on purpose
   */
  restore(
    given: {
      readonly repository: OpenRepository
      readonly snapshotId: string
      readonly folder: string
      readonly paths?: readonly string[]
    },
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<readonly string[]>
  /** How much room files and folders of a backup take. */
  sizeOf(
    given: {
      readonly repository: OpenRepository
      readonly snapshotId: string
      readonly paths: readonly string[]
    },
    signal: AbortSignal,
  ): Promise<number>
  list(
    given: {
      readonly repository: OpenRepository
      readonly snapshotId: string
      readonly path: string
    },
    signal: AbortSignal,
  ): Promise<ListedFolder>
  /** An archive of a folder or file of a backup; the stream fails when the backup is damaged. */
  archive(
    given: {
      readonly repository: OpenRepository
      readonly snapshotId: string
      readonly path: string
      readonly format: ArchiveFormat
    },
    signal: AbortSignal,
  ): Promise<Readable>
  /** Does nothing for backups that do not exist. */
  forget(
    repository: OpenRepository,
    backupIds: readonly string[],
    signal: AbortSignal,
  ): Promise<void>
  prune(repository: OpenRepository, onProgress: OnProgress, signal: AbortSignal): Promise<void>
}
