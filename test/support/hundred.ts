import { z } from 'zod'
import type { Caller } from './caller.ts'
import type { Lodge } from './stack.ts'

interface Answer {
  readonly status: number
  readonly body: unknown
}

const Refusal = z.object({ code: z.string() })

/** A slow machine has not come to it in time: it has not taken effect, and clients send it again. */
const isLate = ({ body }: Answer): boolean =>
  Refusal.safeParse(body).data?.code === 'database_unavailable'

/**
 * Sends a request a hundred times concurrently, half to each of two control planes on one database.
 * @returns how many were accepted, and the bodies of the refusals
 */
export async function hundred(
  [here, beside]: readonly [Lodge, Lodge],
  as: Caller,
  ask: (caller: Caller, at: number) => Promise<Answer>,
): Promise<{ taken: number; refusals: unknown[] }> {
  const there = beside.anonymous({ cookie: as.cookie ?? '' })
  await here.database.pool.query('truncate rate_limits')
  const answers: Answer[] = []
  for (let left = Array.from({ length: 100 }, (_, at) => at); left.length > 0; ) {
    const given = await Promise.all(
      left.map(async (at) => ({ at, ...(await ask(at % 2 === 0 ? as : there, at)) })),
    )
    answers.push(...given.filter((answer) => !isLate(answer)))
    left = given.flatMap((answer) => (isLate(answer) ? [answer.at] : []))
  }
  const refused = answers.filter(({ status }) => status >= 400)
  return { taken: 100 - refused.length, refusals: refused.map(({ body }) => body) }
}

export const exceeded = (detail: string) => ({ code: 'limit_exceeded', detail })
