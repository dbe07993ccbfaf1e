import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'
import type { Secret } from '../secret.ts'

/**
 * Admits a scraper that presents the token. Addresses do not count: behind a local proxy, every
 * request comes from loopback.
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
