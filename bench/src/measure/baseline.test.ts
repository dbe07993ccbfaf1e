import { expect, test } from 'vitest'
import { missesOf, regressions, renewed } from './baseline.ts'
import type { Figure } from './table.ts'

const cost: Figure = { row: 7, what: 'cost', value: 1.04, unit: 'x', target: { atMost: 1.1 } }
const rate: Figure = { row: 8, what: 'rate', value: 900, unit: '', target: { atLeast: 1_000 } }
const told: Figure = { row: 8, what: 'told', value: 5, unit: 'ms' }

test('a figure that is worse than its baseline by more than a tenth is a regression, in either direction', () => {
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

test('a figure that its row tells no more is told of, and rows that were not asked for are not', () => {
  const baseline = { '7 cost': 1, '7 gone': 1, '9 other': 1 }
  expect(regressions([cost], baseline)).toEqual(['7 gone: not measured'])
})

test('a baseline is renewed by what was measured, figures of one name apart', () => {
  const figures = [cost, { ...cost, value: 3.456 }, rate, told]
  expect(renewed({ '7 cost': 1, '7 cost (2)': 2, '9 other': 3 }, figures)).toEqual({
    '7 cost': 1.04,
    '7 cost (2)': 3.46,
    '9 other': 3,
  })
})

test('what misses its target is one line', () => {
  expect(missesOf([cost, rate, told])).toBe('missed 1 of 2 targets: 8 rate 900 (1,000)')
  expect(missesOf([cost])).toBe('missed 0 of 1 targets')
})
