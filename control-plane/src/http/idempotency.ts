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
 * Whether a request to this endpoint may carry a key. What is shown once cannot be answered twice, and
 * where a secret is judged each attempt counts; raw bodies are not kept to be compared.
 */
export const takesKey = (
  spec: Pick<Declared, 'method' | 'access' | 'body' | 'shownOnce' | 'judge'>,
): boolean =>
  spec.method === 'POST' &&
  (spec.access.who === 'user' || spec.access.who === 'admin') &&
  !spec.shownOnce &&
  !isRaw(spec.body) &&
  !spec.judge

/** The key of a request that may be repeated without being done twice; undefined when it carries none. */
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
 * Does `work` once per key: its writes and its answer are one transaction, and whoever comes with the
 * same key meanwhile waits for it and is given the same answer.
 */
export async function once(
  ctx: Ctx,
  given: { userId: string; endpoint: string; key: string; url: string; body: unknown },
  work: (ctx: Ctx) => Promise<Answer>,
): Promise<Answer> {
  // Keyed, because a body may hold a password, and a plain hash would tell it to who guesses.
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
