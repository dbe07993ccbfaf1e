import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { BackupStore } from '@lodge/driver/backup-store.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import type { FakeKnobs } from './knobs.ts'
import { pause } from './pause.ts'
import type { FakeRuntime } from './runtime.ts'

/** The name of the copy that a backup is. */
export const snapshotOf = (backupId: string): string =>
  createHash('sha256').update(backupId).digest('hex').slice(0, 16)

/** Keeps the contents of fake folders in repositories that are maps. */
export function fakeBackupStore(runtime: FakeRuntime, knobs: FakeKnobs): BackupStore {
  const repositoryOf = (id: string) => {
    const known = runtime.repositories.get(id) ?? new Map<string, string>()
    runtime.repositories.set(id, known)
    return known
  }
  const work = async (signal: AbortSignal) => {
    runtime.check()
    await pause(knobs.backupDelayMs, signal)
    if (knobs.backupError) throw knobs.backupError
  }
  const read = (id: string, snapshotId: string): string => {
    const text = repositoryOf(id).get(snapshotId)
    if (text !== undefined) return text
    throw new DriverError('copy_damaged', 'The backup or its repository is damaged.')
  }

  return {
    complaint: async () => null,
    async create(given, onProgress, signal) {
      const { repository, backupId, folder, ignored = [], takenWhileRunning } = given
      onProgress({ step: 'copy', percent: 50, detail: 'Reading the files' })
      await work(signal)
      const text = runtime.folders.get(folder) ?? ''
      if (!knobs.backupIsLost) repositoryOf(repository.id).set(snapshotOf(backupId), text)
      runtime.leftOut.set(snapshotOf(backupId), ignored)
      const sizeBytes = knobs.backupBytes ?? text.length
      return {
        snapshotId: snapshotOf(backupId),
        sizeBytes,
        storedBytes: sizeBytes,
        fileCount: 1,
        takenWhileRunning: takenWhileRunning(),
      }
    },
    async restore({ repository, snapshotId, folder }, onProgress, signal) {
      onProgress({ step: 'copy', percent: 50, detail: 'Reading the backup' })
      await work(signal)
      runtime.folders.set(folder, read(repository.id, snapshotId))
      return runtime.leftOut.get(snapshotId) ?? []
    },
    async sizeOf({ repository, snapshotId }) {
      return read(repository.id, snapshotId).length
    },
    async list({ repository, snapshotId }, signal) {
      await work(signal)
      const sizeBytes = read(repository.id, snapshotId).length
      const modifiedAt = new Date(0).toISOString()
      return {
        items: [{ name: 'contents', kind: 'file', sizeBytes, modifiedAt, mode: '644' }],
        truncated: false,
      }
    },
    async archive({ repository, snapshotId }, signal) {
      await work(signal)
      return Readable.from([Buffer.from(read(repository.id, snapshotId))])
    },
    async forget(repository, backupIds, signal) {
      await work(signal)
      for (const id of backupIds) repositoryOf(repository.id).delete(snapshotOf(id))
    },
    async prune(_repository, _onProgress, signal) {
      await work(signal)
    },
  }
}
