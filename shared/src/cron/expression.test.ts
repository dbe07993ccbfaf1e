import { expect, test } from 'vitest'
import { cronProblem } from './expression.ts'

test.each([
  ['30 4 * * 1-5'],
  ['*/15 0-6 1,15 * *'],
  ['0 0 L * *'],
  ['0 12 * JAN-MAR mon'],
  ['@daily'],
  ['  5   4 *  * * '],
])('%s is understood', (expression) => {
  expect(cronProblem(expression)).toBeUndefined()
})

test.each([
  [
    '30 4 * *',
    'needs five fields: minute, hour, day of the month, month and day of the week; this has 4',
  ],
  ['0 30 4 * * *', 'this has 6'],
  ['61 4 * * *', 'has a minute that is not understood, 61: use 0 to 59'],
  ['0 24 * * *', 'has an hour that is not understood, 24'],
  ['0 4 32 * *', 'has a day of the month that is not understood, 32'],
  ['0 4 * 13 *', 'has a month that is not understood, 13'],
  ['0 4 * * mondays', 'has a day of the week that is not understood, mondays'],
  ['*/0 4 * * *', 'has a minute that is not understood, */0'],
  ['@sometimes', 'knows no @sometimes'],
  ['0 0 30 2 *', 'never occurs: there is no such day'],
])('%s is refused with what is wrong', (expression, problem) => {
  expect(cronProblem(expression)).toContain(problem)
})
