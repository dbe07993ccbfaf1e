import { closeSync, openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Quota } from './quota.ts'

const root = openSync(tmpdir(), 'r')
afterAll(() => closeSync(root))
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const MIB = 1024 * 1024
const measured = (usedBytes: number, measuredAtMs: number) => ({
  ...{ limitBytes: 100 * MIB, usedBytes, measuredAtMs, enforced: false },
})

test('what a measurement found is no longer counted besides it', () => {
  const quota = new Quota(root)
  quota.tell(measured(0, Date.now()))
  vi.advanceTimersByTime(5_000)
  quota.take(60 * MIB)
  expect(quota.usage().usedBytes).toBe(60 * MIB)
  vi.advanceTimersByTime(5_000)
  const beganMs = Date.now()
  vi.advanceTimersByTime(5_000)
  quota.tell(measured(60 * MIB, beganMs))
  expect(quota.usage().usedBytes).toBe(60 * MIB)
  expect(() => quota.require(40 * MIB)).not.toThrow()
  expect(() => quota.require(41 * MIB)).toThrow('not enough room')
})

test('what was written while a measurement ran goes on being counted', () => {
  const quota = new Quota(root)
  quota.take(10 * MIB)
  vi.advanceTimersByTime(2_000)
  const beganMs = Date.now()
  vi.advanceTimersByTime(2_000)
  quota.take(20 * MIB)
  quota.tell(measured(10 * MIB, beganMs))
  expect(quota.usage().usedBytes).toBe(30 * MIB)
})

test('a measurement that finds as much as the one before counts nothing twice either', () => {
  const quota = new Quota(root)
  quota.tell(measured(50 * MIB, Date.now()))
  // Overwritten in place: written, and no larger for it.
  quota.take(30 * MIB)
  vi.advanceTimersByTime(3_000)
  quota.tell(measured(50 * MIB, Date.now()))
  expect(quota.usage().usedBytes).toBe(50 * MIB)
})
