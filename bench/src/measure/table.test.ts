import { expect, test } from 'vitest'
import { type Figure, short, tableOf, verdictOf } from './table.ts'

const figure: Figure = { row: 7, what: 'list', value: 1.0834, unit: 'x', target: { atMost: 1.1 } }

test('a target is met or missed; a result without one is only reported', () => {
  expect(verdictOf(figure)).toBe('met')
  expect(verdictOf({ ...figure, value: 1.2 })).toBe('missed')
  expect(verdictOf({ ...figure, target: { atLeast: 2 } })).toBe('missed')
  expect(verdictOf({ row: 7, what: 'list', value: 1, unit: 'ms' })).toBe('told')
})

test('the table has a line for each result under aligned headings', () => {
  const text = tableOf([figure, { ...figure, row: 13, what: 'ingest', peer: 'Other 3 x' }])
  const [head, first, second] = text.split('\n')
  expect(first).toMatch(/^7 +list +1.08 x +<= 1.1 +met$/)
  expect(second).toMatch(/Other 3 x$/)
  expect(head?.indexOf('measured')).toBe(first?.indexOf('1.08'))
})

test('numbers are shown with three significant digits', () => {
  expect([0.012345, 12.345, 123456].map(short)).toEqual(['0.0123', '12.3', '123,456'])
})
