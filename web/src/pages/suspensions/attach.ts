import { Attachment, MAX_ATTACHMENT_BYTES } from '@lodge/shared/attachments.ts'
import { ApiError } from '../../api.ts'
import { formatBytes } from '../../ui/data/numbers.ts'
import { t } from './words.ts'

/** Delays between attempts, when the connection or the panel was gone. */
const RETRIES_MS = [1_000, 4_000, 10_000]
const GONE = [0, 408, 502, 503, 504]

interface Upload {
  readonly mostBytes: number
  readonly progress: (sentBytes: number) => void
  /** Cancels the upload; nothing of it remains. */
  readonly signal: AbortSignal
}
interface Given extends Omit<Upload, 'mostBytes'> {
  /** The other files of the message: a duplicate returns the existing one. */
  readonly beside: readonly Attachment[]
}

const refusal = (status: number, detail: string): ApiError =>
  new ApiError({
    ...{ type: 'about:blank', title: t.notSent, status, code: 'no_answer', detail, instance: '' },
  })

/**
 * Uploads a file that is sent with the next message.
 * @returns undefined if it was cancelled
 * @throws {ApiError}
 */
export async function attach(
  address: string,
  file: File,
  given: Given,
): Promise<Attachment | undefined> {
  const beside = given.beside.map(({ id }) => id).join()
  const url = `${address}?${new URLSearchParams({ name: file.name, ...(beside && { beside }) })}`
  const answer = await upload(url, file, { ...given, mostBytes: MAX_ATTACHMENT_BYTES })
  return answer === undefined ? undefined : Attachment.parse(answer)
}

/**
 * Uploads a file, and starts again if the connection breaks.
 * @returns the response; undefined if it was cancelled
 * @throws {ApiError}
 */
export async function upload(url: string, file: File, given: Upload): Promise<unknown> {
  if (file.size > given.mostBytes)
    throw refusal(413, t.tooLarge({ name: file.name, most: formatBytes(given.mostBytes) }))
  for (let attempt = 0; ; attempt++) {
    const { status, text } = await post(url, file, given)
    if (given.signal.aborted) return undefined
    const waitMs = RETRIES_MS[attempt]
    if (GONE.includes(status) && waitMs !== undefined) {
      given.progress(0)
      await pause(waitMs, given.signal)
      continue
    }
    if (status === 201) return JSON.parse(text) as unknown
    throw refused(file, status, text)
  }
}

/**
 * With XMLHttpRequest, because `fetch` reports no upload progress. @returns status 0 without a
 * response
 */
const post = (url: string, file: File, { progress, signal }: Upload) =>
  new Promise<{ status: number; text: string }>((resolve) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.upload.onprogress = ({ loaded }) => progress(loaded)
    request.onloadend = () => resolve({ status: request.status, text: request.responseText })
    signal.addEventListener('abort', () => request.abort(), { once: true })
    if (signal.aborted) return resolve({ status: 0, text: '' })
    request.send(file)
  })

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** The error about files beyond the maximum of a message. */
export const tooMany = (count: number): ApiError => refusal(413, t.tooMany({ count }))

function refused({ name }: File, status: number, text: string): ApiError {
  if (status === 0) return refusal(0, t.notReached)
  try {
    return new ApiError({ ...JSON.parse(text), title: t.fileRefused({ name }) })
  } catch {
    return refusal(status, t.answerWas({ status }))
  }
}
