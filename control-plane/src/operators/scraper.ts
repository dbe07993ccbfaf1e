import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Secret } from '../config.ts'
import { Problem } from '../problem.ts'

/**
 * Lets a scraper in that shows the token. No address does: behind a proxy on this machine everybody
 * comes from the loopback address.
 */
export function requireScraper(request: FastifyRequest, token: Secret): void {
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (given !== undefined && timingSafeEqual(digest(given), digest(token.reveal()))) return
  throw new Problem(
    'token_invalid',
    'Send the metrics token as a bearer token: LODGE_METRICS_TOKEN, or the file metrics-token of the data folder',
  )
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
