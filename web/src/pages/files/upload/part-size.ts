import type { DetailedError, UploadOptions } from 'tus-js-client'

/** What nginx takes of a request unless it is told otherwise; who takes less takes no uploads. */
const LEAST_BYTES = 1024 * 1024

/** The largest part that gets through to the panel, as far as this tab has found out. */
let mostBytes = Number.POSITIVE_INFINITY

/** The size in which to send parts of a file. */
export const partBytes = (wanted: number): number => Math.min(wanted, mostBytes)

/**
 * Whether a proxy in front of the panel refused a part as too large: the panel itself says so in a
 * problem document.
 */
export const isTooLargeForProxy = ({ originalResponse }: Pick<DetailedError, 'originalResponse'>) =>
  originalResponse?.getStatus() === 413 &&
  !originalResponse.getHeader('content-type')?.includes('json')

/** Makes the parts of an upload smaller after such a refusal; false if they are small already. */
export function sendSmaller(options: Pick<UploadOptions, 'chunkSize'>): boolean {
  if (options.chunkSize === undefined || options.chunkSize <= LEAST_BYTES) return false
  mostBytes = LEAST_BYTES
  options.chunkSize = LEAST_BYTES
  return true
}
