import type { DetailedError, UploadOptions } from 'tus-js-client'

/** nginx's default limit of a request body; below this, uploads are impossible. */
const LEAST_BYTES = 1024 * 1024

/** The largest part that gets through to the panel, as far as this tab knows. */
let mostBytes = Number.POSITIVE_INFINITY

/** The size of the parts in which to send a file. */
export const partBytes = (wanted: number): number => Math.min(wanted, mostBytes)

/**
 * Whether a proxy in front of the panel refused a part as too large: the panel itself would send a
 * problem document.
 */
export const isTooLargeForProxy = ({ originalResponse }: Pick<DetailedError, 'originalResponse'>) =>
  originalResponse?.getStatus() === 413 &&
  !originalResponse.getHeader('content-type')?.includes('json')

/** Reduces the size of an upload's parts after such a refusal; false if they are small already. */
export function sendSmaller(options: Pick<UploadOptions, 'chunkSize'>): boolean {
  if (options.chunkSize === undefined || options.chunkSize <= LEAST_BYTES) return false
  mostBytes = LEAST_BYTES
  options.chunkSize = LEAST_BYTES
  return true
}
