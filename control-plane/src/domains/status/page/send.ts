import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { VARIES_BY_LANGUAGE } from '../../../http/page-language.ts'

const compress = promisify(gzip)

/** A page as it is sent, rendered once for everybody. */
export interface Sent {
  readonly type: string
  readonly contentSecurityPolicy: string
  readonly etag: string
  readonly plain: Buffer
  readonly gzipped: Buffer
}

export async function preparePage(
  text: string,
  type: string,
  contentSecurityPolicy: string,
): Promise<Sent> {
  const plain = Buffer.from(text)
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"`
  return { type, contentSecurityPolicy, etag, plain, gzipped: await compress(plain) }
}

/** Sends a prepared page; 304 if the browser has it. */
export function sendPrepared(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, contentSecurityPolicy, etag, plain, gzipped }: Sent,
): FastifyReply {
  reply.headers({
    etag,
    'cache-control': 'public, max-age=15',
    'content-security-policy': contentSecurityPolicy,
    vary: `accept-encoding, ${VARIES_BY_LANGUAGE}`,
  })
  if (headers['if-none-match'] === etag) return reply.code(304).send()
  const isPacked = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
  if (isPacked) reply.header('content-encoding', 'gzip')
  return reply.type(type).send(isPacked ? gzipped : plain)
}
