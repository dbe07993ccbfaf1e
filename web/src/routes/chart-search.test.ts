import { expect, test } from 'vitest'
import { chartSearch } from './chart-search.ts'

const from = '2026-11-22T10:00:00Z'
const to = '2026-11-22T11:00:00Z'

test('range and zoom are taken from the address', () => {
  expect(chartSearch({ range: 'day', from, to })).toEqual({ range: 'day', from, to })
})

test('invalid values are dropped', () => {
  expect(chartSearch({ range: 'year', from: to, to: from })).toEqual({})
  expect(chartSearch({ from })).toEqual({})
  expect(chartSearch({ from: 'yesterday', to })).toEqual({})
  expect(chartSearch({ from: '2026-13-45T10:00:00Z', to: '2027-13-45T10:00:00Z' })).toEqual({})
})
