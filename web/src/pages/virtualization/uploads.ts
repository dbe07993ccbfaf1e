import { useSyncExternalStore } from 'react'
import { loadCode } from '../../load-code.ts'
import { isTooLargeForProxy, partBytes, sendSmaller } from '../files/upload/part-size.ts'
import { t } from './words.ts'

/** Uploads of this browser tab; they continue while other pages are shown. */
interface Upload {
  readonly sentBytes: number
  readonly totalBytes: number
  /** Why it stopped, in words. */
  readonly fault?: string
}

const CHUNK_BYTES = 16 * 1024 * 1024
/** Milliseconds between retries when the connection is lost. */
const RETRIES_MS = [1_000, 3_000, 10_000, 30_000, 60_000]

let uploads: ReadonlyMap<string, Upload> = new Map()
const listeners = new Set<() => void>()

function publish(id: string, upload: Upload | undefined): void {
  const next = new Map(uploads)
  if (upload) next.set(id, upload)
  else next.delete(id)
  uploads = next
  for (const listener of listeners) listener()
  const busy = [...uploads.values()].some(({ fault }) => fault === undefined)
  window.onbeforeunload = busy ? (event) => event.preventDefault() : null
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** This tab's upload of a medium, if any. */
export const useUpload = (id: string): Upload | undefined =>
  useSyncExternalStore(listen, () => uploads.get(id))

/** Sends a file from where the last attempt ended; resolves when all of it has arrived. */
export async function sendFile(id: string, file: File): Promise<void> {
  const { DetailedError, Upload: Sender } = await loadCode(() => import('tus-js-client'))
  const { promise, resolve } = Promise.withResolvers<void>()
  publish(id, { sentBytes: 0, totalBytes: file.size })
  new Sender(file, {
    uploadUrl: `/api/virtualization/media/${id}/content`,
    chunkSize: partBytes(CHUNK_BYTES),
    retryDelays: RETRIES_MS,
    storeFingerprintForResuming: false,
    onProgress: (sentBytes, totalBytes) => publish(id, { sentBytes, totalBytes }),
    onShouldRetry: (error, _attempt, options) => {
      if (isTooLargeForProxy(error)) return sendSmaller(options)
      const status = error.originalResponse?.getStatus() ?? 0
      return status === 0 || status >= 500 || [408, 409, 423, 429].includes(status)
    },
    onSuccess: () => {
      publish(id, undefined)
      resolve()
    },
    onError: (error) => {
      const status =
        error instanceof DetailedError ? error.originalResponse?.getStatus() : undefined
      const fault =
        status === 413 ? t.tooLargeForProxy : status ? t.answered({ status }) : t.unreachable
      publish(id, { sentBytes: uploads.get(id)?.sentBytes ?? 0, totalBytes: file.size, fault })
      resolve()
    },
  }).start()
  await promise
}
