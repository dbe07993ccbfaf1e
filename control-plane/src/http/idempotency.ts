import type { FastifyRequest } from 'fastify'
import type { Actor } from '../actor.ts'
import type { Ctx } from '../context.ts'
import { Problem } from '../problem.ts'
import type { Declared } from './endpoint.ts'
import { invalid } from './input.ts'
import { isRaw } from './raw-body.ts'
import { claimKey, findKey, storeReply } from './store.ts'

export interface Answer {
  readonly status: number
  readonly reply: unknown
}

/**
 * Whether a request to this endpoint may carry a key. A reply shown once cannot be replayed, where a
 * secret is verified every attempt must count, and raw bodies are not kept for comparison.
 */
export const takesKey = (
  spec: Pick<Declared, 'method' | 'access' | 'body' | 'shownOnce' | 'judge'>,
): boolean =>
  spec.method === 'POST' &&
  (spec.access.who === 'user' || spec.access.who === 'admin') &&
  !spec.shownOnce &&
  !isRaw(spec.body) &&
  !spec.judge

/** The request's idempotency key; undefined if it has none. */
export function idempotencyKey(
  spec: Declared,
  request: FastifyRequest,
  actor: Actor,
): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || actor.kind !== 'user' || !takesKey(spec)) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalid([
      { pointer: '/headers/idempotency-key', detail: 'must be 1 to 255 visible ASCII characters' },
    ])
  }
  return key
}

/**
 * Runs `work` once per key. Its writes and the stored response are one transaction; concurrent
 * requests with the same key wait for it and receive the same response.
 */
export async function once(
  ctx: Ctx,
  given: { userId: string; endpoint: string; key: string; url: string; body: unknown },
  work: (ctx: Ctx) => Promise<Answer>,
): Promise<Answer> {
  // A keyed hash, because a body may hold a password, and a plain hash would allow offline
  // guessing.
  const requestHash = ctx.vault
    .sign('idempotency', Buffer.from(JSON.stringify([given.url, given.body ?? null])))
    .toString('hex')
  return ctx.transaction(async (ctx) => {
    const claimed = await claimKey(ctx.db, {
      userId: given.userId,
      endpoint: given.endpoint,
      key: given.key,
      requestHash,
    })
    if (!claimed) {
      const earlier = await findKey(ctx.db, given)
      if (!earlier || earlier.requestHash !== requestHash) {
        throw new Problem(
          'idempotency_mismatch',
          'This Idempotency-Key was used for another request: use a new one',
        )
      }
      return { status: earlier.status ?? 200, reply: earlier.reply }
    }
    const answer = await work(ctx)
    await storeReply(ctx.db, given, answer)
    return answer
  })
}
