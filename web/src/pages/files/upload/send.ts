import type { DetailedError, Upload } from 'tus-js-client'
import { loadCode } from '../../../load-code.ts'
import { saidReason } from '../../../panel/said.ts'
import { isTooLargeForProxy, partBytes, sendSmaller } from './part-size.ts'
import type { Transfer } from './transfer.ts'
import { fingerprintOf } from './unfinished.ts'
import { t } from './words.ts'

const PART_BYTES = 8 * 1024 * 1024
const RETRIES_MS = [500, 1_000, 3_000, 10_000, 30_000, 60_000]

interface Callbacks {
  readonly progress: (sentBytes: number) => void
  readonly done: () => void
  /** Called if a file with this name exists. */
  readonly conflict: () => void
  readonly failed: (fault: string) => void
}

interface Refusal {
  readonly code?: string
  readonly detail?: string
}

function refusalOf(error: Error | DetailedError): Refusal {
  const body = 'originalResponse' in error ? error.originalResponse?.getBody() : undefined
  try {
    return body ? JSON.parse(body) : {}
  } catch {
    return {}
  }
}

const statusOf = (error: Error | DetailedError): number =>
  ('originalResponse' in error ? error.originalResponse?.getStatus() : undefined) ?? 0

/** Whether a retry may help; after a duplicate part the offset is queried again. */
function mayRetry(error: DetailedError): boolean {
  const status = statusOf(error)
  if (status === 409) return refusalOf(error).code === 'wrong_offset'
  return status === 0 || (status >= 500 && status !== 507) || [408, 423, 429].includes(status)
}

/** Why an upload failed, if the panel gave no reason. */
function faultOf(error: Error | DetailedError): string {
  const status = statusOf(error)
  if (status === 0) return t.unreachable
  return status === 413 ? t.tooLargeForProxy : t.answered({ status })
}

/** Sends a file from where an earlier attempt stopped. */
export async function send(transfer: Transfer, callbacks: Callbacks): Promise<Upload> {
  const { Upload: Sender } = await loadCode(() => import('tus-js-client'))
  const { file, path, serverId, replace } = transfer
  const upload: Upload = new Sender(file, {
    endpoint: `/api/servers/${serverId}/files/uploads`,
    chunkSize: partBytes(PART_BYTES),
    retryDelays: RETRIES_MS,
    metadata: {
      path,
      replace: String(replace),
      modifiedAt: new Date(file.lastModified).toISOString(),
    },
    fingerprint: async () => fingerprintOf(serverId, path, file),
    removeFingerprintOnSuccess: true,
    onShouldRetry: (error, _attempt, options) =>
      isTooLargeForProxy(error) ? sendSmaller(options) : mayRetry(error),
    onProgress: callbacks.progress,
    onSuccess: callbacks.done,
    onError: (error) => {
      const { code, detail } = refusalOf(error)
      if (code === 'file_exists') return callbacks.conflict()
      callbacks.failed(detail === undefined ? faultOf(error) : saidReason(detail))
    },
  })
  const [earlier] = await upload.findPreviousUploads()
  if (earlier) upload.resumeFromPreviousUpload(earlier)
  return upload
}
