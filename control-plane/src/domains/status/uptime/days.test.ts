import { MINUTE_STATES } from '@lodge/shared/status.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Day, lastDays, percentOf, type Span, uptimeOf } from './days.ts'

const MINUTE_MS = 60_000
const HOUR_MINUTES = 60

const zones = ['UTC', 'Europe/Zurich', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu']
const minute = (text: string) => Date.parse(text) / MINUTE_MS
/** Near both clock changes of 2026, in any zone. */
const nows = fc
  .integer({ min: minute('2026-01-01T00:00Z'), max: minute('2027-01-01T00:00Z') })
  .map((at) => at * MINUTE_MS)

/** Recorded minutes with gaps, in order, up to a time. */
const spansUntil = (nowMs: number, days: number) =>
  fc
    .array(
      fc.record({
        gap: fc.integer({ min: 0, max: 900 }),
        length: fc.integer({ min: 1, max: 4_000 }),
        state: fc.constantFrom(...MINUTE_STATES),
      }),
      { maxLength: 60 },
    )
    .map((parts) => {
      let at = nowMs - (days + 1) * 86_400_000
      return parts.flatMap(({ gap, length, state }): Span[] => {
        const fromMs = at + gap * MINUTE_MS
        const untilMs = Math.min(fromMs + length * MINUTE_MS, nowMs)
        at = untilMs
        return fromMs < untilMs ? [{ fromMs, untilMs, state }] : []
      })
    })

/** The reference: counts minute by minute. */
function counted({ fromMs, untilMs }: Day, spans: readonly Span[]) {
  const counts = { up: 0, down: 0, maintenance: 0, unknown: 0 }
  for (let at = fromMs; at < untilMs; at += MINUTE_MS) {
    const state = spans.find((span) => span.fromMs <= at && at < span.untilMs)?.state
    if (state === undefined) counts.unknown++
    else if (state === 'maintenance') counts.maintenance++
    else if (state === 'operational' || state === 'degraded') counts.up++
    else counts.down++
  }
  return counts
}

describe('uptime', () => {
  test('counts every minute of every day once, across clock changes and gaps', () => {
    const cases = fc
      .tuple(fc.constantFrom(...zones), nows)
      .chain(([zone, nowMs]) =>
        fc.tuple(fc.constant(zone), fc.constant(nowMs), spansUntil(nowMs, 4)),
      )
    fc.assert(
      fc.property(cases, ([zone, nowMs, spans]) => {
        const days = lastDays(zone, nowMs, 5)
        const result = uptimeOf(days, spans)
        for (const [at, day] of days.entries()) {
          const { up, down, maintenance, unknown } = counted(day, spans)
          expect(result[at]).toMatchObject({
            ...{ date: day.date, upMinutes: up, downMinutes: down },
            ...{ maintenanceMinutes: maintenance, unknownMinutes: unknown },
          })
        }
        const up = result.reduce((sum, one) => sum + one.upMinutes, 0)
        const down = result.reduce((sum, one) => sum + one.downMinutes, 0)
        const percent = percentOf(result)
        expect(percent === null).toBe(up + down === 0)
        if (percent !== null) {
          expect(percent <= (100 * up) / (up + down)).toBe(true)
          expect(percent === 100).toBe(down === 0)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('returns consecutive days without a gap, in any zone', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), nows, (zone, nowMs) => {
        const days = lastDays(zone, nowMs, 90)
        expect(days).toHaveLength(90)
        expect(days.at(-1)?.untilMs).toBe(nowMs)
        for (const [at, day] of days.slice(0, -1).entries())
          expect(day.untilMs).toBe(days[at + 1]?.fromMs)
      }),
      { numRuns: 30 },
    )
  })

  test.for([
    ['2026-03-29', 23],
    ['2026-10-25', 25],
    ['2026-06-01', 24],
  ] as const)('the %s has %i hours in Zurich', ([date, hours]) => {
    const days = lastDays('Europe/Zurich', Date.parse(`${date}T12:00Z`) + 86_400_000, 2)
    const [day] = uptimeOf(days, [])
    expect(day).toMatchObject({ date, worst: 'unknown', unknownMinutes: hours * HOUR_MINUTES })
  })

  test('is never rounded up to 100%', () => {
    const day = {
      date: '2026-06-01',
      worst: 'outage' as const,
      maintenanceMinutes: 0,
      unknownMinutes: 0,
    }
    const days = [{ ...day, upMinutes: 1_000_000, downMinutes: 1 } as const]
    expect(percentOf(days)).toBe(99.99)
    expect(percentOf([])).toBeNull()
  })
})
