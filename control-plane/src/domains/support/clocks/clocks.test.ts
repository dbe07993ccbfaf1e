import { BusinessHours } from '@lodge/shared/support/hours/business-hours.ts'
import type { Goals } from '@lodge/shared/support/tiers.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Clock, clocksOf, type Fact, type State } from './clocks.ts'

const MINUTE_MS = 60_000
/** Minutes since Monday 16 November 2026, 09:00 UTC. */
const at = (minutes: number) => Date.parse('2026-11-16T09:00Z') + minutes * MINUTE_MS
const goals: Goals = { firstResponseMin: 60, nextResponseMin: 120, resolutionMin: 480 }

const customer = (minutes: number): Fact => ({ atMs: at(minutes), what: 'customer_message' })
const agent = (minutes: number): Fact => ({ atMs: at(minutes), what: 'agent_reply' })
const turned = (minutes: number, state: State): Fact => ({
  atMs: at(minutes),
  what: 'state',
  state,
})
const clocks = (now: number, ...facts: Fact[]) =>
  clocksOf({ createdAtMs: at(0), facts, goals, calendar: 'always', nowMs: at(now) })

const all = ({ first, next, resolution }: ReturnType<typeof clocksOf>): Clock[] => [
  first,
  next,
  resolution,
]

describe('the first response', () => {
  it('is due a goal after the ticket was opened', () => {
    expect(clocks(10).first).toMatchObject({ targetAtMs: at(60), warned: false, breached: false })
  })

  it('warns at three quarters and is breached after the goal', () => {
    expect(clocks(44).first.warned).toBe(false)
    expect(clocks(45).first).toMatchObject({ warned: true, breached: false })
    expect(clocks(60).first.breached).toBe(false)
    expect(clocks(61).first.breached).toBe(true)
  })

  it('stays met whatever happens later', () => {
    const { first } = clocks(9000, agent(50), customer(100))
    expect(first).toMatchObject({ metAtMs: at(50), breached: false })
  })

  it('stays breached when it was late', () => {
    expect(clocks(90, agent(70)).first).toMatchObject({ metAtMs: at(70), breached: true })
  })

  it('ends once the ticket is solved', () => {
    expect(clocks(9000, turned(30, 'solved')).first).toMatchObject({
      targetAtMs: null,
      breached: false,
    })
  })
})

describe('the next response', () => {
  it('does not run before the first response', () => {
    expect(clocks(500, customer(5), customer(9)).next).toMatchObject({ targetAtMs: null })
  })

  it('runs from the first message that nobody answered', () => {
    const { next } = clocks(200, agent(30), customer(100), customer(150))
    expect(next).toMatchObject({ targetAtMs: at(220), metAtMs: null })
  })

  it('starts over with the message after an answer', () => {
    const { next } = clocks(400, agent(30), customer(100), agent(110), customer(300))
    expect(next).toMatchObject({ targetAtMs: at(420), metAtMs: null })
  })

  it('ends when the ticket is solved', () => {
    const { next } = clocks(9000, agent(30), customer(100), turned(105, 'solved'))
    expect(next).toMatchObject({ targetAtMs: null, breached: false })
  })
})

describe('the resolution', () => {
  it('pauses while the ticket waits and continues with the rest', () => {
    const waited = [turned(100, 'waiting'), turned(400, 'running')]
    expect(clocks(200, ...waited.slice(0, 1)).resolution).toMatchObject({
      targetAtMs: null,
      pausedMs: 100 * MINUTE_MS,
    })
    expect(clocks(450, ...waited).resolution).toMatchObject({
      targetAtMs: at(780),
      pausedMs: 300 * MINUTE_MS,
      breached: false,
    })
  })

  it('stops when solved and goes on after a reopening', () => {
    const solved = turned(300, 'solved')
    expect(clocks(9000, solved).resolution).toMatchObject({ metAtMs: at(300), breached: false })
    const { resolution } = clocks(1010, solved, turned(1000, 'running'))
    expect(resolution).toMatchObject({ metAtMs: null, targetAtMs: at(1180) })
  })

  it('counts only open hours', () => {
    const calendar = BusinessHours.parse({
      timeZone: 'UTC',
      week: { mon: [['09:00', '12:00']], tue: [['09:00', '17:00']] },
      holidays: [],
    })
    const { resolution } = clocksOf({
      ...{ createdAtMs: at(0), facts: [], goals, calendar, nowMs: at(0) },
    })
    expect(resolution.targetAtMs).toBe(Date.parse('2026-11-17T14:00Z'))
  })

  it('is missed at once if it ends when the desk closes', () => {
    const calendar = BusinessHours.parse({
      timeZone: 'UTC',
      week: { mon: [['09:00', '17:00']], tue: [['09:00', '17:00']] },
      holidays: [],
    })
    const given = { createdAtMs: at(-120), facts: [], goals, calendar }
    const ends = clocksOf({ ...given, nowMs: at(480) }).resolution
    expect(ends).toMatchObject({ targetAtMs: at(480), warned: true, breached: false })
    const late = clocksOf({ ...given, nowMs: at(480) + 1 }).resolution
    expect(late).toMatchObject({ targetAtMs: at(480), warned: true, breached: true })
    const solved = clocksOf({
      ...given,
      facts: [turned(490, 'solved')],
      nowMs: at(2000),
    }).resolution
    expect(solved).toMatchObject({ metAtMs: at(490), breached: true })
  })

  it('warns when three quarters of its time have passed, despite pauses', () => {
    const rested = [turned(100, 'waiting'), turned(400, 'running')]
    expect(clocks(450, ...rested).resolution).toMatchObject({ warnAtMs: at(660), warned: false })
    expect(clocks(660, ...rested).resolution).toMatchObject({ warned: true, breached: false })
  })

  it('has no target when the desk never opens', () => {
    const calendar = BusinessHours.parse({ timeZone: 'UTC', week: {}, holidays: [] })
    const all = clocksOf({ createdAtMs: at(0), facts: [], goals, calendar, nowMs: at(9000) })
    expect(all.first).toMatchObject({ targetAtMs: null, breached: false })
    expect(all.resolution).toMatchObject({ targetAtMs: null, breached: false })
  })
})

describe('for any history', () => {
  const fact = fc.tuple(
    fc.integer({ min: 0, max: 3000 }),
    fc.constantFrom<(minutes: number) => Fact>(
      customer,
      agent,
      (minutes) => turned(minutes, 'running'),
      (minutes) => turned(minutes, 'waiting'),
      (minutes) => turned(minutes, 'solved'),
    ),
  )
  const history = fc
    .array(fact, { maxLength: 12 })
    .map((all) => all.sort(([a], [b]) => a - b).map(([minutes, make]) => make(minutes)))

  it('time alone never reverts a breach of the first response or the resolution', () => {
    fc.assert(
      fc.property(history, fc.nat(3000), (facts, wait) => {
        const [now, later] = [clocks(3000, ...facts), clocks(3000 + wait, ...facts)]
        for (const name of ['first', 'resolution'] as const) {
          expect(later[name].breached || !now[name].breached).toBe(true)
          expect(later[name].warned || !now[name].warned).toBe(true)
        }
      }),
    )
  })

  it('every breach comes after a warning', () => {
    fc.assert(
      fc.property(history, (facts) => {
        for (const clock of all(clocks(3000, ...facts)))
          expect(clock.warned || !clock.breached).toBe(true)
      }),
    )
  })

  it('a running clock is breached exactly after its target', () => {
    fc.assert(
      fc.property(history, (facts) => {
        for (const clock of all(clocks(3000, ...facts)))
          if (clock.targetAtMs !== null && clock.metAtMs === null)
            expect(clock.breached).toBe(at(3000) > clock.targetAtMs)
      }),
    )
  })
})
