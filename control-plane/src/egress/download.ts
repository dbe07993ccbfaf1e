import { readFile } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import tls from 'node:tls'
import { checkedAddress, EgressRefused } from './egress.ts'

const MAX_REDIRECTS = 5
/** Nothing came for this long. */
const STALLED_MS = 60_000

/** Where the control plane may connect to beside the public internet. */
export interface EgressPolicy {
  readonly allowedHosts: readonly string[]
  /** Certificates of authorities, PEM. */
  readonly authorities: readonly string[]
}

export async function readEgressPolicy(given: {
  readonly allowedHosts: readonly string[]
  readonly caFile: string | undefined
}): Promise<EgressPolicy> {
  const { allowedHosts, caFile } = given
  return { allowedHosts, authorities: caFile ? [await readFile(caFile, 'utf8')] : [] }
}

export interface Download {
  /** As the other side says; null where it does not. */
  readonly sizeBytes: number | null
  readonly body: AsyncIterable<Buffer>
}

/** The other side answered with a status that is no success. */
export class DownloadRefused extends Error {
  readonly status: number
  constructor(status: number) {
    super(`the server answered ${status}`)
    this.status = status
  }
}

/**
 * Reads a large file of the internet piece by piece. Every address on the way, redirects included, is
 * checked like any other that the control plane calls; a stall ends it.
 * @throws EgressRefused where it must not connect; DownloadRefused for a status; other errors where it could not
 */
export async function download(
  address: string,
  policy: EgressPolicy,
  signal: AbortSignal,
): Promise<Download> {
  let url = new URL(address)
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const pinned = await checkedAddress(url, policy.allowedHosts)
    const response = await ask(url, pinned, policy, signal)
    const { statusCode = 0, headers } = response
    if (statusCode === 200) {
      const length = Number(headers['content-length'])
      return { sizeBytes: Number.isSafeInteger(length) ? length : null, body: response }
    }
    response.destroy()
    if (statusCode < 300 || statusCode > 308 || !headers.location)
      throw new DownloadRefused(statusCode)
    url = new URL(headers.location, url)
  }
  throw new EgressRefused('it redirects too often')
}

function ask(
  url: URL,
  pinned: string,
  policy: EgressPolicy,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  const { request } = url.protocol === 'https:' ? https : http
  const family = net.isIPv6(pinned) ? 6 : 4
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  const ca =
    policy.authorities.length > 0 ? [...tls.rootCertificates, ...policy.authorities] : undefined
  const sent = request(url, {
    method: 'GET',
    agent: false,
    signal,
    timeout: STALLED_MS,
    ...(ca && { ca }),
    headers: { accept: '*/*', 'accept-encoding': 'identity' },
    lookup: (_host, given, done) =>
      given.all ? done(null, [{ address: pinned, family }]) : done(null, pinned, family),
  })
  sent.on('timeout', () => sent.destroy(new Error('nothing came for a minute')))
  sent.on('error', reject)
  sent.on('response', resolve)
  sent.end()
  return promise
}
