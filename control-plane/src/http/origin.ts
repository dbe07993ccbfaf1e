import type { FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'
import { SESSION_COOKIE } from './authenticate.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A browser's changing request must come from the panel itself, so no other site can act with its cookie. */
export function requireOrigin(request: FastifyRequest, origins: readonly string[]): void {
  if (SAFE.has(request.method) || request.headers.authorization !== undefined) return
  const { origin } = request.headers
  if (origin === undefined && request.cookies[SESSION_COOKIE] === undefined) return
  if (origin === undefined || !origins.includes(origin)) {
    throw new Problem('origin_mismatch', 'Open the panel at its own address and try again')
  }
}
