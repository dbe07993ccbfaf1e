import { DownloadRefused, download } from '@lodge/shared/egress/download.ts'
import { type EgressPolicy, EgressRefused } from '@lodge/shared/egress/egress.ts'
import { formatBytes } from '@lodge/shared/units.ts'
import { z } from 'zod'
import { invalid } from '../../http/input.ts'

/** The limit of a request body. */
const MAX_BYTES = 1_048_576
const WITHIN_MS = 10_000

export const FetchDocument = z.strictObject({ address: z.url().max(2048) })

/**
 * Fetches the text of a public internet address, for review before import.
 * @throws {Problem} validation_failed, naming what is wrong with the address or its content
 */
export async function fetchDocument(address: string, egress: EgressPolicy): Promise<string> {
  const signal = AbortSignal.timeout(WITHIN_MS)
  const parts: Buffer[] = []
  let bytes = 0
  try {
    const { body } = await download(address, egress, signal)
    for await (const part of body) {
      bytes += part.length
      // Leaving the loop closes the connection.
      if (bytes > MAX_BYTES) throw new TooLarge()
      parts.push(part)
    }
  } catch (error) {
    throw invalid([{ pointer: '/address', detail: faultOf(error, signal) }])
  }
  return Buffer.concat(parts).toString('utf8')
}

class TooLarge extends Error {}

function faultOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof TooLarge) return `leads to more than ${formatBytes(MAX_BYTES)}`
  if (signal.aborted) return `did not give its document within ${WITHIN_MS / 1000} s`
  if (error instanceof EgressRefused) return `is not fetched: ${error.message}`
  if (error instanceof DownloadRefused) return `is not answered: ${error.message}`
  return 'cannot be reached: look whether it is written correctly, and whether it opens in a browser'
}
