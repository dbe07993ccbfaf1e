import type { BackupStore, OpenRepository } from '@lodge/driver/backup-store.ts'
import type { OnProgress } from '@lodge/driver/driver.ts'
import { storageStalled } from './watch-storage.ts'

const REPORT_EVERY_BYTES = 32 * 1024 * 1024
/** A storage that takes longer for the next bytes will not send them. */
const STALLED_MS = 10 * 60_000

/**
 * Reads a complete backup, which decrypts and authenticates each of its pieces.
 * @throws {DriverError} copy_damaged if a piece is missing or damaged; runtime_unavailable if nothing
 * arrives any more
 */
export async function readBack(
  store: Pick<BackupStore, 'archive'>,
  given: {
    readonly repository: OpenRepository
    readonly snapshotId: string
    readonly sizeBytes: number
    readonly stalledMs?: number
  },
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<void> {
  const { repository, snapshotId, sizeBytes: total, stalledMs = STALLED_MS } = given
  const tell = (done: number) =>
    onProgress({
      step: 'verify',
      percent: total === 0 ? null : Math.min(99, (done / total) * 100),
      detail: 'Reading the backup back',
      bytes: { done: Math.min(done, total), total },
    })
  tell(0)
  const archive = await store.archive({ repository, snapshotId, path: '/', format: 'tar' }, signal)
  // Nobody is slow to take them, unlike in a download.
  const stalled = setTimeout(() => archive.destroy(storageStalled()), stalledMs)
  let readBytes = 0
  let reportedBytes = 0
  try {
    for await (const piece of archive) {
      stalled.refresh()
      readBytes += (piece as Buffer).length
      if (readBytes - reportedBytes < REPORT_EVERY_BYTES) continue
      reportedBytes = readBytes
      tell(readBytes)
    }
  } finally {
    clearTimeout(stalled)
  }
}
