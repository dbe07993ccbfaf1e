import { createHash, timingSafeEqual } from 'node:crypto'
import { addressSet } from '@lodge/shared/addresses.ts'
import type { FastifyRequest } from 'fastify'
import type { Secret } from '../config.ts'
import { Problem } from '../problem.ts'

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']
const isLoopback = addressSet(['127.0.0.0/8', '::1'])

/**
 * Lets a scraper in: with the configured token from anywhere, without one only from this machine.
 * What a proxy on this machine passes on counts as coming from elsewhere.
 */
export function requireScraper(request: FastifyRequest, token: Secret | undefined): void {
  if (token) {
    const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (given !== undefined && timingSafeEqual(digest(given), digest(token.reveal()))) return
    throw new Problem('token_invalid', 'Send the token of LODGE_METRICS_TOKEN as a bearer token')
  }
  const own = isLoopback(request.socket.remoteAddress ?? '')
  if (own && !FORWARDED.some((header) => request.headers[header] !== undefined)) return
  throw new Problem(
    'forbidden',
    'Figures are told to this machine only: set LODGE_METRICS_TOKEN to read them from elsewhere',
  )
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
