import argon2 from 'argon2'
import { interleave, median, medianRatio, quantile } from '../measure/rounds.ts'
import type { Bench, Finding, Row } from '../row.ts'
import { insertFleet } from '../stage/fleet-rows.ts'
import { Line, requestBytes } from '../stage/http-load.ts'
import { type ControlPlaneSide, ourSide } from '../stage/sides.ts'

const PASSWORD = 'a long enough password'
const EMAIL = 'customer1@example.org'
/** The control plane's hash parameters. */
const COST = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const FLOOD = 8

/** Signing in compared with the bare verification of a hash, and the effect of a flood on others. */
export const login: Row = {
  number: 9,
  name: 'login',
  async run(bench) {
    const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
    const rows = await insertFleet(database.pool, { nodes: 1 })
    const hash = await argon2.hash(PASSWORD, COST)
    await database.pool.query('update users set password_hash = $1 where email = $2', [hash, EMAIL])
    const side = await ourSide(bench, database)
    // Measures the cost of an attempt, not the rate limit.
    const admit = () => database.pool.query('delete from rate_limits')

    const line = bench.ending.add(new Line(side.port), (one) => one.close())
    const attempt = (email: string, password: string, expected: number) => async () => {
      await admit()
      const started = performance.now()
      const { status, body } = await line.ask(signIn(email, password))
      if (status !== expected) throw new Error(`answered ${status}: ${body}`)
      return performance.now() - started
    }
    const bare = async () => {
      const started = performance.now()
      await argon2.verify(hash, PASSWORD)
      return performance.now() - started
    }
    const sides = {
      bare,
      right: attempt(EMAIL, PASSWORD, 200),
      wrong: attempt(EMAIL, 'not the password', 401),
      unknown: attempt('nobody@example.org', PASSWORD, 401),
    }
    await interleave(5, sides)
    const times = await interleave(bench.long ? 201 : 61, sides)
    const same = (milliseconds: number) => milliseconds
    const share = medianRatio(times.wrong, times.unknown, same)
    const flood = await others(bench, side, rows.adminCookie, admit)
    const findings: Finding[] = [
      {
        what: 'signing in beyond the bare check of the hash',
        value: median(times.right.map((ms, round) => ms - (times.bare[round] ?? 0))),
        unit: 'ms',
        target: { atMost: 8 },
        detail: { ms: median(times.right), 'bare ms': median(times.bare) },
      },
      {
        what: 'wrong password against unknown address',
        value: Math.abs(share - 1) * 100,
        unit: '%',
        target: { atMost: 5 },
        detail: { 'wrong ms': median(times.wrong), 'unknown ms': median(times.unknown) },
      },
      {
        what: `p99 of other calls while ${FLOOD} sign in without pause / without`,
        value: quantile(flood.during, 0.99) / quantile(flood.quiet, 0.99),
        unit: 'x',
        target: { atMost: 3 },
        detail: {
          'quiet p99 ms': quantile(flood.quiet, 0.99),
          'p99 ms': quantile(flood.during, 0.99),
        },
      },
    ]
    return findings
  },
}

const signIn = (email: string, password: string): Buffer =>
  requestBytes('POST', '/api/auth/login', {}, { email, password })

/** Latencies of a reader, without and with a flood of sign-ins. */
async function others(
  bench: Bench,
  side: ControlPlaneSide,
  cookie: string,
  admit: () => Promise<unknown>,
): Promise<{ quiet: number[]; during: number[] }> {
  const reader = bench.ending.add(new Line(side.port), (one) => one.close())
  const request = requestBytes('GET', '/api/servers?limit=1', { cookie })
  const read = async (seconds: number) => {
    const taken: number[] = []
    for (const until = performance.now() + seconds * 1000; performance.now() < until; ) {
      const started = performance.now()
      const { status, body } = await reader.ask(request)
      if (status !== 200) throw new Error(`answered ${status}: ${body}`)
      taken.push(performance.now() - started)
    }
    return taken
  }
  const seconds = bench.long ? 10 : 3
  await read(1)
  const quiet = await read(seconds)
  let over = false
  const flood = Array.from({ length: FLOOD }, async () => {
    const line = new Line(side.port)
    while (!over) {
      await admit()
      await line.ask(signIn(EMAIL, 'not the password'))
    }
    line.close()
  })
  const during = await read(seconds)
  over = true
  await Promise.all(flood)
  return { quiet, during }
}
