import argon2 from 'argon2'
import { interleave, median, separation } from '../measure/rounds.ts'
import type { Bench, Finding, Row } from '../row.ts'
import type { Database } from '../stage/database.ts'
import { insertFleet } from '../stage/fleet-rows.ts'
import { Line, requestBytes } from '../stage/http-load.ts'
import { ourSide } from '../stage/sides.ts'

/**
 * Whether response times reveal to a stranger which addresses have an account. A thousand samples
 * of each side: with fewer, chance alone could exceed the target.
 */
const SAMPLES = 1000
/** Hundredths by which one side may be above the other more often than half of the time. */
const TARGET = { atMost: 5 } as const

const KNOWN = 'customer1@example.org'
const PASSWORD = 'a long enough password'

interface Question {
  readonly what: string
  readonly path: string
  readonly status: number
  /** The request body for an address. */
  readonly body: (email: string) => object
}

export const signInTells: Row = {
  number: 28,
  name: 'what signing in tells',
  run: (bench) =>
    compare(bench, [
      {
        what: 'sign-in: wrong password against unknown address',
        path: '/api/auth/login',
        status: 401,
        body: (email) => ({ email, password: 'not the password' }),
      },
      {
        what: 'recovery code: wrong code against unknown address',
        path: '/api/auth/recover',
        status: 401,
        body: (email) => ({ email, recoveryCode: 'AAAA-BBBB-CCCC-DDDD', password: PASSWORD }),
      },
    ]),
}

export const signUpTells: Row = {
  number: 29,
  name: 'what signing up tells',
  run: (bench) =>
    compare(bench, [
      {
        what: 'sign-up: taken against free address',
        path: '/api/auth/register',
        status: 200,
        body: (email) => ({ email, password: PASSWORD }),
      },
      {
        what: 'forgotten password: known against unknown address',
        path: '/api/auth/forgot',
        status: 200,
        body: (email) => ({ email }),
      },
      {
        what: 'confirmation again: known against unknown address',
        path: '/api/auth/verify/resend',
        status: 200,
        body: (email) => ({ email }),
      },
    ]),
}

/** Sends each request for an address with an account and for fresh ones, alternating. */
async function compare(bench: Bench, questions: readonly Question[]): Promise<Finding[]> {
  const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
  await insertFleet(database.pool, { nodes: 1 })
  await open(database)
  const side = await ourSide(bench, database)
  const line = bench.ending.add(new Line(side.port), (one) => one.close())
  let sent = 0
  const findings: Finding[] = []
  for (const { what, path, status, body } of questions) {
    const ask = (email: () => string) => async () => {
      // Measures the response time, not the rate limit.
      await database.pool.query('delete from rate_limits')
      const request = requestBytes('POST', path, {}, body(email()))
      const started = performance.now()
      const answer = await line.ask(request)
      const ms = performance.now() - started
      if (answer.status !== status) throw new Error(`answered ${answer.status}: ${answer.body}`)
      return { ms, words: wordsOf(answer.body) }
    }
    const sides = {
      known: ask(() => KNOWN),
      unknown: ask(() => `nobody${++sent}@example.org`),
    }
    await interleave(20, sides)
    const { known, unknown } = await interleave(SAMPLES, sides)
    const words = new Set([...known, ...unknown].map((one) => one.words))
    if (words.size !== 1) throw new Error(`${what}: answered ${[...words].join(' and ')}`)
    const [here, nowhere] = [known.map(({ ms }) => ms), unknown.map(({ ms }) => ms)]
    findings.push({
      what,
      value: Math.abs(separation(here, nowhere) - 0.5) * 100,
      unit: 'points from a coin',
      target: TARGET,
      detail: { samples: SAMPLES, 'known ms': median(here), 'unknown ms': median(nowhere) },
    })
    bench.say(what)
  }
  return findings
}

/** Opens sign-up, and gives the known account its password. */
async function open({ pool }: Database): Promise<void> {
  const hash = await argon2.hash(PASSWORD, {
    type: argon2.argon2id,
    memoryCost: 19_456,
    timeCost: 2,
    parallelism: 1,
  })
  await pool.query('update users set password_hash = $1 where email = $2', [hash, KNOWN])
  const settings = {
    mode: 'open',
    captcha: { provider: 'off', siteKey: null, secret: null },
    terms: { required: false, termsUrl: null, privacyUrl: null },
  }
  await pool.query(`insert into settings (area, value) values ('signup', $1)`, [
    JSON.stringify(settings),
  ])
}

/** A response without its request id, which is different each time. */
const wordsOf = (body: Buffer): string => {
  const { instance: _, ...words } = JSON.parse(body.toString('utf8'))
  return JSON.stringify(words)
}
