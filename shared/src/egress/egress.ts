import { lookup } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import tls from 'node:tls'
import { isPublicAddress } from '../addresses.ts'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 262_144

export class EgressRefused extends Error {}

export interface EgressReply {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
}

/** Where we may connect to beside the public internet. */
export interface EgressPolicy {
  /** `host:port` of services that may be anywhere and without TLS, e.g. of the operator's own network. */
  readonly allowedHosts: readonly string[]
  /** Certificates of authorities that are trusted beside the public ones, PEM. */
  readonly authorities: readonly string[]
}

export interface EgressOptions extends Partial<EgressPolicy> {
  readonly timeoutMs?: number
  readonly maxBytes?: number
}

export interface EgressCall extends EgressOptions {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * Asks an address of the internet. With `download` the one door by which Lodge calls out: TLS only,
 * every address of the name is checked and then connected to as checked, redirects are not followed,
 * time and size are bounded.
 * @throws EgressRefused where it must not connect; other errors where it could not
 */
export async function call(address: string, request: EgressCall): Promise<EgressReply> {
  const url = new URL(address)
  const pinned = await checkedAddress(url, request.allowedHosts)
  return exchange(url, pinned, request)
}

/** Sends a form to an address of the internet, see `call`. */
export const postForm = (
  address: string,
  fields: Readonly<Record<string, string>>,
  options: EgressOptions = {},
): Promise<EgressReply> =>
  call(address, {
    ...options,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({ ...fields }).toString(),
  })

/** Whether we may connect there at all, and to which address. @throws EgressRefused */
export async function checkedAddress(
  url: URL,
  allowedHosts: readonly string[] | undefined,
): Promise<string> {
  const isAllowed = allowedHosts?.includes(url.host) ?? false
  if (url.protocol !== 'https:' && !(isAllowed && url.protocol === 'http:'))
    throw new EgressRefused('only https is spoken')
  if (url.username !== '' || url.password !== '') throw new EgressRefused('no credentials in it')
  return await addressOf(url.hostname.replace(/^\[|\]$/g, ''), isAllowed)
}

/** The address to connect to; when any address of a name is not public, none is used. */
async function addressOf(host: string, isAllowed: boolean): Promise<string> {
  const found = net.isIP(host)
    ? [host]
    : (await lookup(host, { all: true })).map((one) => one.address)
  const [first] = found
  if (first === undefined) throw new EgressRefused('the name has no address')
  if (!isAllowed && !found.every(isPublicAddress))
    throw new EgressRefused(
      'the address is not one of the public internet. To allow it, name its host:port in LODGE_EGRESS_HOSTS of the control plane and of its nodes, and start them again',
    )
  return first
}

/** The one answer to every question for an address: the one that was checked. */
export function only(address: string): net.LookupFunction {
  const family = net.isIPv6(address) ? 6 : 4
  return (_host, given, done) =>
    given.all ? done(null, [{ address, family }]) : done(null, address, family)
}

/** Options of a TLS connection that trusts these authorities beside the public ones. */
export const trusting = (authorities: readonly string[] = []): { ca?: string[] } =>
  authorities.length > 0 ? { ca: [...tls.rootCertificates, ...authorities] } : {}

function exchange(
  url: URL,
  pinned: string,
  { method, headers, body, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, authorities }: EgressCall,
): Promise<EgressReply> {
  const { promise, resolve, reject } = Promise.withResolvers<EgressReply>()
  const { request } = url.protocol === 'https:' ? https : http
  const sent = request(
    url,
    {
      method,
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
      ...trusting(authorities),
      headers: {
        ...headers,
        ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
      },
      lookup: only(pinned),
    },
    (response) => {
      const parts: Buffer[] = []
      let bytes = 0
      response.on('data', (part: Buffer) => {
        bytes += part.length
        if (bytes <= maxBytes) return void parts.push(part)
        reject(new EgressRefused('the answer is too large'))
        sent.destroy()
      })
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString('utf8'),
        }),
      )
    },
  )
  sent.on('error', reject)
  sent.end(body)
  return promise
}
