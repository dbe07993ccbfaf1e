import { readFile } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import { checkedAddress, type EgressPolicy, EgressRefused, only, trusting } from './egress.ts'

const MAX_REDIRECTS = 5
/** A download fails when no data arrives for this long. */
const STALLED_MS = 60_000

/** Reads the authorities from a PEM file. Throws when it cannot be read. */
export async function readEgressPolicy(given: {
  readonly allowedHosts: readonly string[]
  readonly caFile: string | undefined
}): Promise<EgressPolicy> {
  const { allowedHosts, caFile } = given
  return { allowedHosts, authorities: caFile ? [await readFile(caFile, 'utf8')] : [] }
}

export interface Download {
  /** Size of the whole file as the server states it; null when it does not. */
  readonly sizeBytes: number | null
  /** Where the body begins in the file: the requested offset, or 0 when the server sends the whole file. */
  readonly offset: number
  readonly body: AsyncIterable<Buffer>
}

/** The server answered with an error status. */
export class DownloadRefused extends Error {
  readonly status: number
  constructor(status: number) {
    super(`the server answered ${status}`)
    this.status = status
  }
}

/**
 * Streams a large file from the internet. Checks every address on the way, redirects included, like
 * `call`; a stall ends it. With an `offset` in bytes it requests the rest of the file (RFC 9110,
 * section 14), which the server may ignore: see `Download.offset`.
 * @throws EgressRefused when the address is not allowed; DownloadRefused for a status; other errors
 * when the transfer fails
 */
export async function download(
  address: string,
  policy: EgressPolicy,
  signal: AbortSignal,
  offset = 0,
): Promise<Download> {
  let url = new URL(address)
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const pinned = await checkedAddress(url, policy.allowedHosts)
    const response = await ask(url, pinned, { policy, signal, offset })
    const { statusCode = 0, headers } = response
    if (statusCode === 200)
      return { sizeBytes: sizeOf(headers['content-length']), offset: 0, body: response }
    const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '')
    if (statusCode === 206 && offset > 0 && Number(range?.[1]) === offset)
      return { sizeBytes: sizeOf(range?.[2]), offset, body: response }
    response.destroy()
    if (statusCode < 300 || statusCode > 308 || !headers.location)
      throw new DownloadRefused(statusCode)
    url = new URL(headers.location, url)
  }
  throw new EgressRefused('it redirects too often')
}

function sizeOf(text: string | undefined): number | null {
  const bytes = Number(text ?? Number.NaN)
  return Number.isSafeInteger(bytes) ? bytes : null
}

function ask(
  url: URL,
  pinned: string,
  {
    policy,
    signal,
    offset,
  }: { readonly policy: EgressPolicy; readonly signal: AbortSignal; readonly offset: number },
): Promise<http.IncomingMessage> {
  const { request } = url.protocol === 'https:' ? https : http
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  const sent = request(url, {
    method: 'GET',
    agent: false,
    signal,
    timeout: STALLED_MS,
    ...trusting(policy.authorities),
    headers: {
      accept: '*/*',
      'accept-encoding': 'identity',
      ...(offset > 0 && { range: `bytes=${offset}-` }),
    },
    lookup: only(pinned),
  })
  sent.on('timeout', () => sent.destroy(new Error('nothing came for a minute')))
  sent.on('error', reject)
  sent.on('response', resolve)
  sent.end()
  return promise
}
