import { expect, test } from 'vitest'
import { daysAgo, given, periodOf, queryOf } from './audit-search.ts'

const NOW = new Date(2026, 2, 3, 15)

test('days are counted across the ends of months', () => {
  expect([0, 3, 29].map((days) => daysAgo(days, NOW))).toEqual([
    '2026-03-03',
    '2026-02-28',
    '2026-02-02',
  ])
})

test('the chosen days are named where they have a name', () => {
  expect(periodOf({}, NOW)).toBe('any')
  expect(periodOf({ from: '2026-03-03' }, NOW)).toBe('today')
  expect(periodOf({ from: '2026-02-25' }, NOW)).toBe('week')
  expect(periodOf({ from: '2026-02-02' }, NOW)).toBe('month')
  expect(periodOf({ from: '2026-02-03' }, NOW)).toBe('between')
  expect(periodOf({ from: '2026-03-03', to: '2026-03-03' }, NOW)).toBe('between')
})

test('empty filters appear neither in the request nor in the URL', () => {
  expect(given({ q: '', actor: 'x', looks: undefined })).toEqual({ actor: 'x' })
  expect(queryOf({ address: '10.0.0.1', action: '/api/nodes' })).toEqual({
    address: '10.0.0.1',
    action: '/api/nodes',
    only: 'changes',
  })
  expect(queryOf({ looks: true })).toEqual({})
})
