import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Rollback } from '../board/tables.ts'
import { type Journal, runSaga, stepKey, UndoFailed } from './run.ts'
import { Permanent, type StepTools, saga } from './saga.ts'

const JOB = '0190a5d0-0000-7000-8000-000000000001'

/** What survives a crash: the journal, and the things that steps created by their keys. */
class Remains implements Journal {
  readonly steps = new Map<string, Record<string, unknown>>()
  readonly world = new Set<string>()
  readonly log: string[] = []
  back: Rollback | undefined
  /** Counts possible crash points: each journal call and each step, before and after. */
  moment = 0
  strikesAt = Number.POSITIVE_INFINITY

  strike(): void {
    this.moment += 1
    if (this.moment === this.strikesAt) throw new Error('the process was killed')
  }
  async made(step: string) {
    this.strike()
    return this.steps.get(step)
  }
  async record(step: string, made: Record<string, unknown>) {
    this.strike()
    this.steps.set(step, made)
    this.strike()
  }
  async rollback() {
    this.strike()
    return this.back
  }
  async beginRollback(rollback: Rollback) {
    this.strike()
    this.back = rollback
    this.strike()
  }
  async undone(step: string, rollback: Rollback) {
    this.strike()
    this.steps.delete(step)
    this.back = rollback
    this.strike()
  }
}

const NAMES = ['one', 'two', 'three', 'four']

function sagaOver(remains: Remains, failsAt?: string) {
  const made = (name: string) => ({
    async do(state: object, { key }: StepTools) {
      remains.strike()
      remains.log.push(`do ${name}`)
      remains.world.add(key)
      remains.strike()
      if (name === failsAt) throw new Permanent('broken', 'it cannot be done')
      return { [name]: Object.keys(state).length }
    },
    async undo(_state: object, { key }: StepTools) {
      remains.strike()
      remains.log.push(`undo ${name}`)
      remains.world.delete(key)
      remains.strike()
    },
  })
  return NAMES.reduce(
    (built, name) => built.step(name, made(name)),
    saga('test', z.object({ given: z.string() })) as ReturnType<typeof saga<object>>,
  )
}

const tools = (step: string) => ({ key: stepKey(JOB, step) }) as StepTools
const run = (remains: Remains, failsAt?: string) =>
  runSaga(sagaOver(remains, failsAt).steps, { given: 'x' }, remains, tools)

/** Runs repeatedly, as a dispatcher does, until the saga ends. */
async function untilEnd(remains: Remains, failsAt: string | undefined): Promise<unknown> {
  for (;;) {
    try {
      return await run(remains, failsAt)
    } catch (failure) {
      if (failure instanceof Permanent) return failure
    }
  }
}

test('a saga runs its steps once and passes on their results', async () => {
  const remains = new Remains()
  expect(await run(remains)).toEqual({ given: 'x', one: 1, two: 2, three: 3, four: 4 })
  expect(remains.log).toEqual(NAMES.map((name) => `do ${name}`))
  expect(await run(remains)).toEqual({ given: 'x', one: 1, two: 2, three: 3, four: 4 })
  expect(remains.log).toHaveLength(4)
})

test('killed at any point, it resumes with the effect of a single run', async () => {
  const whole = new Remains()
  const answer = await run(whole)
  for (let moment = 1; moment <= whole.moment; moment++) {
    const remains = new Remains()
    remains.strikesAt = moment
    await expect(run(remains)).rejects.toThrow('killed')
    expect(await run(remains), `killed at ${moment}`).toEqual(answer)
    expect(remains.world).toEqual(whole.world)
    expect([...remains.steps.keys()]).toEqual(NAMES)
    // Only the step in progress may have run twice.
    expect(remains.log.length - NAMES.length).toBeLessThanOrEqual(1)
  }
})

test.each(NAMES)('a permanent failure undoes everything, newest first: %s', async (failsAt) => {
  const remains = new Remains()
  await expect(run(remains, failsAt)).rejects.toMatchObject({ code: 'broken' })
  const tried = NAMES.slice(0, NAMES.indexOf(failsAt) + 1)
  expect(remains.log).toEqual([
    ...tried.map((name) => `do ${name}`),
    ...tried.toReversed().map((name) => `undo ${name}`),
  ])
  expect([remains.world.size, remains.steps.size]).toEqual([0, 0])
})

test.each(NAMES)(
  'killed at any point of the rollback, it leaves nothing behind: %s',
  async (failsAt) => {
    const whole = new Remains()
    await expect(run(whole, failsAt)).rejects.toBeInstanceOf(Permanent)
    for (let moment = 1; moment <= whole.moment; moment++) {
      const remains = new Remains()
      remains.strikesAt = moment
      const end = await untilEnd(remains, failsAt)
      expect(end, `killed at ${moment}`).toBeInstanceOf(Permanent)
      expect([...remains.world], `killed at ${moment}`).toEqual([])
      expect(remains.steps.size).toBe(0)
    }
  },
)

test.each(NAMES)(
  'a rollback never turns forward again, wherever it is killed: %s',
  async (failsAt) => {
    const whole = new Remains()
    await run(whole, failsAt).catch(() => undefined)
    for (let moment = 1; moment <= whole.moment; moment++) {
      const remains = new Remains()
      remains.strikesAt = moment
      await run(remains, failsAt).catch(() => undefined)
      const decided = remains.back !== undefined
      remains.strikesAt = Number.POSITIVE_INFINITY
      // The reason has passed by now: going forward would succeed.
      const begun = remains.log.length
      await run(remains).catch((failure) => expect(failure).toMatchObject({ code: 'broken' }))
      const later = remains.log.slice(begun)
      if (decided)
        expect(
          later.filter((entry) => entry.startsWith('do')),
          `killed at ${moment}`,
        ).toEqual([])
      expect(remains.world.size).toBe(decided ? 0 : NAMES.length)
    }
  },
)

test('a failed undo is retried as an undo, and the earlier ones follow', async () => {
  const remains = new Remains()
  const broken = sagaOver(remains, 'three')
  let failures = 2
  const steps = broken.steps.map((one) =>
    one.name !== 'two'
      ? one
      : {
          ...one,
          step: {
            ...one.step,
            async undo(state: never, given: StepTools) {
              if (failures-- > 0) throw new Permanent('node_broken', 'not now')
              await one.step.undo?.(state, given)
            },
          },
        },
  )
  const again = () => runSaga(steps, { given: 'x' }, remains, tools)
  for (let time = 0; time < 2; time++) {
    const failure = await again().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(UndoFailed)
    expect(failure).toMatchObject({ step: 'two', cause: { code: 'node_broken' } })
  }
  await expect(again()).rejects.toMatchObject({ code: 'broken' })
  expect(remains.log).toEqual([
    'do one',
    'do two',
    'do three',
    'undo three',
    'undo two',
    'undo one',
  ])
  expect([remains.world.size, remains.steps.size]).toEqual([0, 0])
})

test('any number of kills with any failing step ends in all or nothing', async () => {
  const property = fc.asyncProperty(
    fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 6 }),
    fc.option(fc.constantFrom(...NAMES), { nil: undefined }),
    async (kills, failsAt) => {
      const remains = new Remains()
      for (const after of kills) {
        remains.strikesAt = remains.moment + after
        await run(remains, failsAt).catch(() => undefined)
      }
      remains.strikesAt = Number.POSITIVE_INFINITY
      await untilEnd(remains, failsAt)
      expect(remains.world.size).toBe(failsAt ? 0 : NAMES.length)
    },
  )
  await fc.assert(property, { numRuns: 500 })
})

test('a step has the same key for all attempts, and each step its own', () => {
  const keys = NAMES.map((name) => stepKey(JOB, name))
  expect(new Set(keys).size).toBe(NAMES.length)
  expect(keys).toEqual(NAMES.map((name) => stepKey(JOB, name)))
  for (const key of keys) expect(z.uuid().safeParse(key).success).toBe(true)
})
