import { expect, test } from 'vitest'
import { isProblem, readLogLine } from './log-lines.ts'

test('an entry is split into its time, level, message and the rest', () => {
  const line = readLogLine(
    '{"level":"warn","time":"2026-11-22T09:00:00.000Z","driver":"docker","tries":2,"msg":"no answer"}',
  )
  expect(line).toEqual({
    at: '2026-11-22T09:00:00.000Z',
    level: 'warn',
    message: 'no answer',
    details: 'driver=docker tries=2',
  })
  expect(isProblem(line)).toBe(true)
})

test.each(['not JSON', '[1]', '"text"', '{"cut'])('%s is shown as it is', (text) => {
  expect(readLogLine(text)).toEqual({ at: null, level: 'info', message: text, details: '' })
})

test('a fatal entry counts as an error, an invalid time is left out', () => {
  expect(readLogLine('{"level":"fatal","time":"soon","msg":"gone"}')).toMatchObject({
    at: null,
    level: 'error',
  })
})
