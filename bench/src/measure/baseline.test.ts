import { expect, test } from 'vitest'
import { missesOf, regressions, renewed } from './baseline.ts'
import type { Figure } from './table.ts'

const cost: Figure = { row: 7, what: 'cost', value: 1.04, unit: 'x', target: { atMost: 1.1 } }
const rate: Figure = { row: 8, what: 'rate', value: 900, unit: '', target: { atLeast: 1_000 } }
const told: Figure = { row: 8, what: 'told', value: 5, unit: 'ms' }

test('a result more than a tenth worse than its baseline is a regression, in either direction', () => {
  const baseline = { '7 cost': 1, '8 rate': 1_000 }
  expect(regressions([cost, rate, told], baseline)).toEqual([])
  expect(regressions([{ ...cost, value: 1.2 }, rate], baseline)).toEqual(['7 cost: 1.2, was 1'])
  expect(regressions([cost, { ...rate, value: 890 }], baseline)).toEqual(['8 rate: 890, was 1,000'])
  expect(
    regressions(
      [
        { ...cost, value: 0.2 },
        { ...rate, value: 5_000 },
      ],
      baseline,
    ),
  ).toEqual([])
})

test('a result that its row no longer reports is listed, and rows that were not run are not', () => {
  const baseline = { '7 cost': 1, '7 gone': 1, '9 other': 1 }
  expect(regressions([cost], baseline)).toEqual(['7 gone: not measured'])
})

test('a baseline is updated with new results, and results that share a name stay separate', () => {
  const figures = [cost, { ...cost, value: 3.456 }, rate, told]
  expect(renewed({ '7 cost': 1, '7 cost (2)': 2, '9 other': 3 }, figures)).toEqual({
    '7 cost': 1.04,
    '7 cost (2)': 3.46,
    '9 other': 3,
  })
})

test('all missed targets are one line', () => {
  expect(missesOf([cost, rate, told])).toBe('missed 1 of 2 targets: 8 rate 900 (1,000)')
  expect(missesOf([cost])).toBe('missed 0 of 1 targets')
})
