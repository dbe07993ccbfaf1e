import type { ProblemDocument } from '@lodge/shared/problems.ts'
import { expect } from 'vitest'
import type { Declared } from '../../../control-plane/src/http/endpoint.ts'
import { lengthOf } from '../../run/lengths.ts'
import { type Caller, requestOf } from '../../support/caller.ts'
import { fingerprint } from '../support/fingerprint.ts'
import { QUERIES } from '../support/queries.ts'
import { REFUSED_BY_RULE } from '../support/refused-by-rule.ts'
import { rawSample, sampleBody, sampleOf } from '../support/samples.ts'
import {
  BODIES,
  enoughFor,
  keyOf,
  neededFor,
  neededOfCollaborator,
  paramsFor,
  thingOf,
} from '../support/things.ts'
import type { Make, Who } from './matrix-callers.ts'
import type { MatrixGround } from './matrix-ground.ts'
import { type EquippedGround, type Prepared, SET_UPS } from './matrix-set-ups/index.ts'

const KINDS = lengthOf('LODGE_MATRIX_KINDS')

/** A call and what the matrix says about it: `yes`, or the status of the refusal. */
export interface Attempt {
  /** The same words mean the same caller, apart from what the endpoint requires. */
  readonly as: string
  readonly make: Make
  readonly expected: string
  /**
   * The account is shared by several callers: an admitted call of another one may end its session.
   */
  readonly isShared?: boolean
}

interface Answer {
  readonly status: number
  readonly text: string
}

/**
 * Refused callers and the things in their paths are shared by all endpoints, because a refused call
 * changes nothing, which is what is checked.
 */
export class Refused {
  readonly #who = new Map<string, Promise<Who>>()
  readonly #things = new Map<string, ReturnType<typeof paramsFor>>()

  async call(ground: MatrixGround, spec: Declared, attempt: Attempt) {
    const who = await this.#caller(ground, spec, attempt)
    await who.reopen?.()
    const params = await this.params(ground, spec, who.owner)
    await who.prepare?.()
    return { who, request: requestFor(spec, params) }
  }

  #caller(ground: MatrixGround, spec: Declared, { as, make, isShared }: Attempt): Promise<Who> {
    if (isShared) return make(ground, spec)
    const needed = [neededFor(spec.access), neededOfCollaborator(spec.access)]
    const key = `${as}: ${enoughFor(spec)}, ${needed}`
    const made = this.#who.get(key) ?? make(ground, spec)
    this.#who.set(key, made)
    return made
  }

  params(ground: MatrixGround, spec: Declared, owner: string): ReturnType<typeof paramsFor> {
    const key = `${thingOf(spec)} ${owner}`
    const made = this.#things.get(key) ?? paramsFor(ground, spec, owner)
    this.#things.set(key, made)
    return made
  }
}

interface Grounds {
  readonly ground: MatrixGround
  /** The panel for admitted calls that need something to exist first. */
  readonly equipped: EquippedGround
}

/** The problems of `REFUSED_BY_RULE` that occurred. */
export const cameUp = new Set<string>()

/** All calls of one endpoint: the refused ones together, between two fingerprints of the database. */
export class Calls {
  readonly #spec: Declared
  readonly #planned: Attempt[] = []
  readonly #refused = new Map<Attempt, Answer>()
  #changed: unknown = 'not yet looked'

  constructor(spec: Declared) {
    this.#spec = spec
  }

  /** Adds calls; returns the test that judges them. */
  plan(attempts: readonly Attempt[], grounds: () => Grounds): () => Promise<void> {
    this.#planned.push(...attempts)
    return async () => {
      for (const attempt of attempts)
        if (attempt.expected === 'yes') await this.#admitted(grounds(), attempt)
        else this.#judge(attempt)
    }
  }

  /** Makes every call that must be refused. */
  async refuse(ground: MatrixGround, refused: Refused): Promise<void> {
    const { pool } = ground.lodge.database
    const spec = this.#spec
    const calls = []
    for (const attempt of this.#planned.filter(({ expected }) => expected !== 'yes'))
      calls.push({ attempt, ...(await refused.call(ground, spec, attempt)) })
    const before = await fingerprint(pool)
    for (const { attempt, who, request } of calls)
      this.#refused.set(attempt, await send(ground, who, request, spec))
    const after = await fingerprint(pool)
    this.#changed = Object.entries(after).filter(([table, rows]) => before[table] !== rows)
  }

  #judge(attempt: Attempt): void {
    const { status, text } = this.#refused.get(attempt) ?? { status: 0, text: 'was not sent' }
    const problem = problemIn(text)
    const { as, expected } = attempt
    expect(`${status} ${problem.status}`, `${as}: ${text}`).toBe(`${expected} ${expected}`)
    expect(this.#changed, 'rows that the refused calls changed, by table').toEqual([])
  }

  /**
   * Without the permission that the endpoint requires, this caller gets the same response as for an
   * unknown thing.
   */
  async #alike(ground: MatrixGround, make: Make): Promise<void> {
    const spec = this.#spec
    const who = await make(ground, spec)
    const params = await paramsFor(ground, spec, who.owner)
    await who.prepare?.()
    const unknown = { caller: ground.lodge.anonymous(), owner: who.owner }
    const told = []
    for (const one of [who, unknown]) {
      const { status, text } = await send(ground, one, requestFor(spec, params), spec)
      told.push(`${status} ${problemIn(text).code}`)
    }
    expect(told[0]).toBe(told[1])
  }

  async #admitted({ ground: plain, equipped }: Grounds, { as, make }: Attempt): Promise<void> {
    const spec = this.#spec
    const key = keyOf(spec)
    const setUp = SET_UPS[key]
    if (setUp && isAnsweredAlike(spec, as)) return this.#alike(plain, make)
    const ground = setUp ? equipped : plain
    if (setUp) await equipped.signInAgain()
    const who = await make(ground, spec)
    const params = await paramsFor(ground, spec, who.owner)
    const prepared = await setUp?.({ ground: equipped, who, params })
    await who.prepare?.()
    const request = requestFor(spec, params, prepared)
    const { status, text } = await send(ground, who, request, spec)
    await prepared?.after?.()
    if (status === promisedBy(spec)) return
    const rule = REFUSED_BY_RULE[key]
    const { code } = problemIn(text)
    const isListed = rule?.callers === 'everybody' || rule?.callers.includes(as)
    expect(
      isListed ? rule?.code : undefined,
      `${as}: ${status} and not ${promisedBy(spec)}; what the answer needs is brought about in test/api/security/matrix-set-ups, and a rule that refuses it even so stands in test/api/support/refused-by-rule.ts: ${text}`,
    ).toBe(code)
    cameUp.add(`${key} ${code}`).add(`${key} ${code}: ${as}`)
  }
}

/** Whether the endpoint is open to anybody, and responds alike to the callers of the full matrix. */
const isAnsweredAlike = ({ access }: Declared, as: string): boolean =>
  KINDS === 1 && access.who === 'anyone' && !['anonymous', 'super admin'].includes(as)

/** The declared status for an admitted caller when no rule refuses. */
const promisedBy = (spec: Declared): number =>
  spec.status ?? (spec.reply || spec.streams ? 200 : 204)

const problemIn = (text: string): Partial<ProblemDocument> =>
  text.startsWith('{') ? JSON.parse(text) : {}

/** A request to the endpoint that its schemas accept. */
export function requestFor(
  spec: Declared,
  params: Readonly<Record<string, string>>,
  prepared: Prepared = {},
) {
  const query = QUERIES[keyOf(spec)] ?? (spec.query && (sampleOf(spec.query) as object))
  const body = prepared.body ?? sampleBody(spec, BODIES)
  const given = { params: prepared.params ?? params, query: query ?? {}, body }
  const { headers, payload } = prepared
  return {
    ...requestOf(keyOf(spec), given),
    ...rawSample(spec),
    ...(headers && { headers }),
    ...(payload !== undefined && { payload }),
  }
}

async function send(
  { lodge }: MatrixGround,
  { caller, headers }: Who,
  request: ReturnType<typeof requestFor>,
  spec: Declared,
): Promise<Answer> {
  if ('throttle' in spec.access) await lodge.database.pool.query('delete from rate_limits')
  if (spec.streams && spec.method === 'GET') {
    const query = new URLSearchParams(request.query as Record<string, string>)
    return readStream(`${lodge.url}${request.url}?${query}`, caller)
  }
  const response = await caller.send({ ...request, headers: { ...request.headers, ...headers } })
  return { status: response.statusCode, text: response.body }
}

/** A stream never ends on its own, so it is read over the network and aborted. */
async function readStream(url: string, { cookie }: Caller): Promise<Answer> {
  const cut = new AbortController()
  const response = await fetch(url, {
    signal: cut.signal,
    headers: cookie === undefined ? {} : { cookie: `panel_session=${cookie}` },
  })
  const text = response.ok ? '' : await response.text()
  cut.abort()
  return { status: response.status, text }
}
