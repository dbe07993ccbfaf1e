import type { OpenRepository } from '@lodge/driver/backup-store.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import { type StorageWatch, watchStorage } from '@lodge/shared/egress/watch-storage.ts'

/** The storage of the backups does not answer: tried again for some minutes, not for hours. */
export const storageAway = (cause?: unknown): DriverError =>
  new DriverError('runtime_unavailable', 'The storage of the backups does not answer.', {
    retryable: true,
    cause,
  })

/** It answers, and yet nothing arrives there or comes from there. */
export const storageStalled = (): DriverError =>
  new DriverError('runtime_unavailable', 'The storage of the backups moves no data.', {
    retryable: true,
  })

/**
 * Ends work on a repository when its storage stops answering, or the connection to the node that
 * keeps it ends.
 * @throws {DriverError} if it does not answer at the beginning
 */
export async function watchRepository(
  { location }: OpenRepository,
  signal: AbortSignal,
  everyMs?: number,
): Promise<StorageWatch> {
  if (location.kind === 'node') return { signal, stop: () => undefined }
  if (location.kind === 'linked')
    return { signal: AbortSignal.any([signal, location.ended]), stop: () => undefined }
  const away = () => storageAway()
  return await watchStorage(location.endpoint, {
    ...{ signal, away },
    ...(everyMs !== undefined && { everyMs }),
  })
}
