import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'
import { SESSION_COOKIE } from './authenticate.ts'

/** With two Host headers, a proxy and we might each trust a different one (RFC 9112, 3.2). */
export function requireOneHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): void {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name))
  if (hosts.length > 1) throw new Problem('validation_failed', 'Send exactly one Host header')
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Names the panel's address: behind a proxy, or at a new name, nobody can guess which one is meant. */
export const elsewhere = (panelUrl: string): Problem =>
  new Problem(
    'origin_mismatch',
    `Open the panel at its own address, ${new URL(panelUrl).origin}, and try again`,
  )

/**
 * A browser's changing request must come from the panel itself, so no other site can forge requests
 * with its cookie.
 */
export function requireOrigin(
  request: FastifyRequest,
  origins: readonly string[],
  panelUrl: string,
): void {
  if (SAFE.has(request.method) || request.headers.authorization !== undefined) return
  const { origin } = request.headers
  if (origin === undefined && request.cookies[SESSION_COOKIE] === undefined) return
  if (origin === undefined || !origins.includes(origin)) throw elsewhere(panelUrl)
}
