import type { Caller } from './caller.ts'
import type { Lodge } from './stack.ts'

/**
 * Sends a request a hundred times concurrently, half to each of two control planes on one database. One
 * that a slow machine answers with 503 is sent again, as clients do: it must not have taken effect.
 * @returns how many were accepted, and the bodies of the refusals
 */
export async function hundred(
  [here, beside]: readonly [Lodge, Lodge],
  as: Caller,
  ask: (caller: Caller, at: number) => Promise<{ status: number; body: unknown }>,
): Promise<{ taken: number; refusals: unknown[] }> {
  const there = beside.anonymous({ cookie: as.cookie ?? '' })
  await here.database.pool.query('truncate rate_limits')
  const send = async (caller: Caller, at: number) => {
    for (;;) {
      const answer = await ask(caller, at)
      if (answer.status !== 503) return answer
    }
  }
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, at) => send(at % 2 === 0 ? as : there, at)),
  )
  const refused = answers.filter(({ status }) => status >= 400)
  return { taken: 100 - refused.length, refusals: refused.map(({ body }) => body) }
}

export const exceeded = (detail: string) => ({ code: 'limit_exceeded', detail })
