import { lookup } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import tls from 'node:tls'
import { isPublicAddress } from '../addresses.ts'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 262_144

export class EgressRefused extends Error {
  /** The message without what the operator may do about it, which is another setting for some requests. */
  readonly reason: string

  constructor(message: string, reason: string = message) {
    super(message)
    this.reason = reason
  }
}

export interface EgressReply {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
}

/** Where we may connect besides the public internet. */
export interface EgressPolicy {
  /** `host:port` of services that may have any address and no TLS, e.g. in the operator's own network. */
  readonly allowedHosts: readonly string[]
  /** Additional trusted certificate authorities, PEM. */
  readonly authorities: readonly string[]
}

export interface EgressOptions extends Partial<EgressPolicy> {
  readonly timeoutMs?: number
  readonly maxBytes?: number
  /** A larger answer is cut instead of refused. */
  readonly cutsAnswer?: boolean
  readonly signal?: AbortSignal
}

export interface EgressCall extends EgressOptions {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/**
 * Requests an address on the internet. With `download` the only way out of Lodge: TLS only, every
 * resolved address is checked and the checked one is used, redirects are not followed, time and
 * size are bounded.
 * @throws EgressRefused when the address is not allowed; other errors when the request fails
 */
export async function call(address: string, request: EgressCall): Promise<EgressReply> {
  const url = new URL(address)
  const pinned = await checkedAddress(url, request.allowedHosts)
  return exchange(url, pinned, request)
}

/** Posts a form to an address on the internet, see `call`. */
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

/** Host and port, also where the port is the usual one of the scheme, which `URL.host` leaves out. */
export const hostAndPort = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || (protocol === 'http:' ? 80 : 443)}`

/** The address to connect to, after checking that it is allowed. @throws EgressRefused */
export async function checkedAddress(
  url: URL,
  allowedHosts: readonly string[] | undefined,
): Promise<string> {
  const isAllowed = [url.host, hostAndPort(url)].some((name) => allowedHosts?.includes(name))
  if (url.protocol !== 'https:' && !(isAllowed && url.protocol === 'http:'))
    throw new EgressRefused('only https is spoken')
  if (url.username !== '' || url.password !== '') throw new EgressRefused('no credentials in it')
  return await addressOf(url.hostname.replace(/^\[|\]$/g, ''), isAllowed)
}

/** Refuses a name when any of its addresses is not public. */
async function addressOf(host: string, isAllowed: boolean): Promise<string> {
  const found = net.isIP(host)
    ? [host]
    : (await lookup(host, { all: true })).map((one) => one.address)
  const [first] = found
  if (first === undefined) throw new EgressRefused('the name has no address')
  if (!isAllowed && !found.every(isPublicAddress))
    throw new EgressRefused(
      'the address is not one of the public internet. To allow it, name its host:port in LODGE_EGRESS_HOSTS of the control plane and of its nodes, and start them again',
      'the address is not one of the public internet',
    )
  return first
}

/** A lookup that always returns the checked address. */
export function only(address: string): net.LookupFunction {
  const family = net.isIPv6(address) ? 6 : 4
  return (_host, given, done) =>
    given.all ? done(null, [{ address, family }]) : done(null, address, family)
}

/** TLS options that trust these authorities besides the public ones. */
export const trusting = (authorities: readonly string[] = []): { ca?: string[] } =>
  authorities.length > 0 ? { ca: [...tls.rootCertificates, ...authorities] } : {}

function exchange(url: URL, pinned: string, call: EgressCall): Promise<EgressReply> {
  const { method, headers, body, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, authorities } = call
  const timeout = AbortSignal.timeout(timeoutMs)
  const { promise, resolve, reject } = Promise.withResolvers<EgressReply>()
  const { request } = url.protocol === 'https:' ? https : http
  const sent = request(
    url,
    {
      method,
      agent: false,
      signal: call.signal ? AbortSignal.any([timeout, call.signal]) : timeout,
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
      const end = () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString('utf8'),
        })
      response.on('data', (part: Buffer) => {
        bytes += part.length
        if (bytes <= maxBytes) return void parts.push(part)
        if (call.cutsAnswer) end()
        else reject(new EgressRefused('the answer is too large'))
        sent.destroy()
      })
      response.on('error', reject)
      response.on('end', end)
    },
  )
  sent.on('error', reject)
  sent.end(body)
  return promise
}
