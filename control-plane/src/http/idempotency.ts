import type { FastifyRequest } from 'fastify'
import type { Actor } from '../actor.ts'
import type { Ctx } from '../context.ts'
import { Problem } from '../problem.ts'
import type { Declared } from './endpoint.ts'
import { invalid } from './input.ts'
import { isRaw } from './raw-body.ts'
import { type Claim, claimKey, findKey, releaseKey, storeReply } from './store.ts'

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
 * @param waits the work waits for something outside, which no transaction may: the key is taken
 * first, and a concurrent request is told to come back
 */
export async function once(
  ctx: Ctx,
  given: { userId: string; endpoint: string; key: string; url: string; body: unknown },
  work: (ctx: Ctx) => Promise<Answer>,
  waits: boolean,
): Promise<Answer> {
  const { userId, endpoint, key, url, body } = given
  // A keyed hash, because a body may hold a password, and a plain hash would allow offline
  // guessing.
  const requestHash = ctx.vault
    .sign('idempotency', Buffer.from(JSON.stringify([url, body ?? null])))
    .toString('hex')
  const claim = { userId, endpoint, key, requestHash }
  if (!waits) return ctx.transaction((ctx) => answerTo(ctx, claim, work))
  return answerTo(ctx, claim, async (ctx) => {
    try {
      return await work(ctx)
    } catch (error) {
      // If the database is gone too, the claim lapses.
      await releaseKey(ctx.db, claim).catch((fault: unknown) =>
        ctx.log.warn({ err: fault }, 'an idempotency key stays taken for a while'),
      )
      throw error
    }
  })
}

async function answerTo(
  ctx: Ctx,
  claim: Claim,
  work: (ctx: Ctx) => Promise<Answer>,
): Promise<Answer> {
  if (!(await claimKey(ctx.db, claim))) return earlierAnswer(ctx, claim)
  const answer = await work(ctx)
  await storeReply(ctx.db, claim, answer)
  return answer
}

async function earlierAnswer(ctx: Ctx, claim: Claim): Promise<Answer> {
  const earlier = await findKey(ctx.db, claim)
  if (earlier && earlier.requestHash !== claim.requestHash)
    throw new Problem(
      'idempotency_mismatch',
      'This Idempotency-Key was used for another request: use a new one',
    )
  if (!earlier || earlier.status === null)
    throw new Problem(
      'idempotency_pending',
      'The first request with this Idempotency-Key is still being worked on: send it again in a moment',
      { retryAfterSeconds: 5 },
    )
  return { status: earlier.status, reply: earlier.reply }
}
