import { describe, expect, test } from 'vitest'
import { heldUntil, nextAttempt, RETRY_SECONDS, retryAfterSeconds } from './timing.ts'

const NOW = new Date('2026-11-23T12:00:00Z')
const seconds = (at: Date | undefined) => at && (at.getTime() - NOW.getTime()) / 1000

describe('the next attempt', () => {
  test('follows the ladder, and none follows the tenth', () => {
    const waits = RETRY_SECONDS.map((_, at) => seconds(nextAttempt(at + 1, NOW, undefined, 0)))
    expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400])
    expect(nextAttempt(10, NOW, undefined, 0)).toBeUndefined()
    expect(seconds(nextAttempt(2, NOW, undefined, 1))).toBe(330)
  })

  test('is as late as the receiver asks, but not later than a day', () => {
    expect(seconds(nextAttempt(1, NOW, 60, 0))).toBe(60)
    expect(seconds(nextAttempt(2, NOW, 60, 0))).toBe(300)
    expect(seconds(nextAttempt(1, NOW, 10_000_000, 0))).toBe(86_400)
    expect(retryAfterSeconds('Mon, 23 Nov 2026 12:02:00 GMT', NOW)).toBe(120)
    expect([retryAfterSeconds('1.5', NOW), retryAfterSeconds('soon', NOW)]).toEqual([
      1.5,
      undefined,
    ])
  })
})

describe('a message waits', () => {
  const quiet = { from: '22:00', to: '07:30' }
  const at = (now: string, given: object, severity: 'info' | 'error' = 'info') =>
    heldUntil(
      { quiet: null, digest: null, errorsAtOnce: true, ...given },
      severity,
      'Europe/Zurich',
      new Date(now),
    )?.toISOString()

  test('for the end of quiet hours in the time zone of its recipient', () => {
    expect(at('2026-11-23T20:59:00Z', { quiet })).toBeUndefined()
    expect(at('2026-11-23T21:00:00Z', { quiet })).toBe('2026-11-24T06:30:00.000Z')
    expect(at('2026-11-24T06:29:00Z', { quiet })).toBe('2026-11-24T06:30:00.000Z')
    expect(at('2026-11-24T06:30:00Z', { quiet })).toBeUndefined()
    // The clocks go back on the night to 2026-10-25.
    expect(at('2026-10-24T21:00:00Z', { quiet })).toBe('2026-10-25T06:30:00.000Z')
  })

  test('for the next digest, daily or on Monday', () => {
    const digest = { every: 'day', hour: 8 }
    expect(at('2026-11-23T08:00:00Z', { digest })).toBe('2026-11-24T07:00:00.000Z')
    expect(at('2026-11-25T08:00:00Z', { digest: { ...digest, every: 'week' } })).toBe(
      '2026-11-30T07:00:00.000Z',
    )
  })

  test('but not if it is an error and errors are sent immediately', () => {
    expect(at('2026-11-23T23:00:00Z', { quiet }, 'error')).toBeUndefined()
    expect(at('2026-11-23T23:00:00Z', { quiet, errorsAtOnce: false }, 'error')).toBeDefined()
  })
})
