import { finished, PassThrough, type Readable, Transform } from 'node:stream'
import { networkOf } from '@lodge/shared/addresses.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { Problem } from '../problem.ts'
import { bodyRoom } from './body-room.ts'

/**
 * A body that the handler receives unchanged: as `bytes`, for what is signed as a whole, or as a
 * `stream`, for what is too large for memory.
 */
export interface RawBody<As extends 'bytes' | 'stream' = 'bytes' | 'stream'> {
  readonly as: As
  /** Larger ones are refused with 413, by their declared length or once more has arrived. */
  readonly maxBytes: number
  /** Others are refused with 415. */
  readonly contentTypes: readonly [string, ...string[]]
}

type Given<As extends 'bytes' | 'stream'> = Omit<RawBody<As>, 'as'>

/** The handler receives a `Buffer` with the exact bytes, over which a signature can be verified. */
export const bytesBody = (given: Given<'bytes'>): RawBody<'bytes'> => ({ as: 'bytes', ...given })

/**
 * The handler receives a `Readable` and reads it at its own pace. It fails with `payload_too_large`
 * once the limit is exceeded, so nothing made of it may count before its end.
 */
export const streamBody = (given: Given<'stream'>): RawBody<'stream'> => ({
  as: 'stream',
  ...given,
})

export const isRaw = (body: object | undefined): body is RawBody =>
  body !== undefined && 'as' in body && 'maxBytes' in body && 'contentTypes' in body

/** The schema of a JSON body; undefined for no body or a raw one. */
export const jsonBodyOf = ({ body }: { readonly body?: z.ZodType | RawBody | undefined }) =>
  isRaw(body) ? undefined : body

/** Raw bodies must not be compressed, because their unpacked size is unknown. */
export function requireUnpacked({ headers }: Pick<FastifyRequest, 'headers'>): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase()
  if (encoding === undefined || encoding === '' || encoding === 'identity') return
  throw new Problem('unsupported_media_type', 'Send the body without compression')
}

/** Makes a router accept this body only. */
export function takeRaw(router: FastifyInstance, body: RawBody): void {
  const { as, maxBytes, contentTypes } = body
  router.removeAllContentTypeParsers()
  if (as === 'bytes') {
    router.addContentTypeParser(
      [...contentTypes],
      { parseAs: 'buffer', bodyLimit: maxBytes },
      (_request, bytes, done) => done(null, bytes),
    )
    router.addHook('preParsing', async (request, reply, payload) => {
      const place = bodyRoom.place(networkOf(request.address))
      // Its bytes are in memory until it is answered.
      finished(reply.raw, () => place.end())
      return limited(payload, place.take)
    })
  } else
    router.addContentTypeParser([...contentTypes], (request, payload, done) => {
      if (Number(request.headers['content-length'] ?? 0) > maxBytes) return done(tooLarge(maxBytes))
      done(null, limited(payload, upTo(maxBytes)))
    })
  router.addContentTypeParser('*', (_request, _payload, done) =>
    done(new Problem('unsupported_media_type', `Send ${contentTypes.join(' or ')}`)),
  )
}

/** A request without a body has an empty one. */
export const rawBodyOf = (body: RawBody, given: unknown): Buffer | Readable =>
  body.as === 'stream'
    ? ((given as Readable | undefined) ?? new PassThrough().end())
    : ((given as Buffer | undefined) ?? Buffer.alloc(0))

function upTo(maxBytes: number): (bytes: number) => void {
  let count = 0
  return (bytes) => {
    count += bytes
    if (count > maxBytes) throw tooLarge(maxBytes)
  }
}

/** @param take throws if there is no room for this many more bytes */
function limited(source: Readable, take: (bytes: number) => void): Readable {
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        take(chunk.length)
        done(null, chunk)
      } catch (error) {
        done(error as Error)
      }
    },
  })
  source.on('error', (error) => counted.destroy(error))
  source.on('close', () => {
    if (!counted.writableEnded) counted.destroy(new Error('the connection was lost'))
  })
  // Without this listener, an unread stream's error would crash the process; a reader still sees
  // it.
  counted.on('error', () => source.unpipe(counted))
  counted.on('close', () => {
    if (!source.readableEnded) drain(source)
  })
  return source.pipe(counted)
}

/** How much of a refused body is still read. */
const DRAINED_BYTES = 64 * 1024 * 1024

/** Reads and discards a body: browsers read the answer only once they have sent all of it. */
function drain(source: Readable): void {
  let count = 0
  source.unpipe()
  source.on('data', (chunk: Buffer) => {
    count += chunk.length
    if (count > DRAINED_BYTES) source.destroy()
  })
  source.resume()
}

const tooLarge = (maxBytes: number) =>
  new Problem('payload_too_large', `Send at most ${maxBytes} bytes`)
