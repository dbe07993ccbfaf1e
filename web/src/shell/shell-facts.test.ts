import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepVisit, recentVisits } from '../session/recent-visits.ts'
import { isPutOff, putOff } from './put-off.ts'

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('a dismissed reminder returns on the next day, and stays shortly before the deadline', () => {
  const now = new Date('2026-11-22T10:00:00')
  const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000)
  const due = later(40).toISOString()
  expect(isPutOff('me', due, now)).toBe(false)
  putOff('me', now)
  expect(isPutOff('me', due, later(10))).toBe(true)
  expect(isPutOff('somebody else', due, now)).toBe(false)
  expect(isPutOff('me', due, later(20))).toBe(false)
  expect(isPutOff('me', later(5).toISOString(), now)).toBe(false)
})

test('recent pages are kept once, newest first, and not shown to the next person', () => {
  const visit = (path: string, label: string) => ({ path, label, kind: 'Servers' })
  keepVisit('me', visit('/servers/1', 'one'))
  keepVisit('me', visit('/servers/2', 'two'))
  keepVisit('me', visit('/servers/1/console', 'one'))
  expect(recentVisits('me').map(({ path }) => path)).toEqual(['/servers/1/console', '/servers/2'])
  expect(recentVisits('somebody else')).toEqual([])
})
