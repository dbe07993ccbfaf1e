import { expect, test } from 'vitest'
import { readCron, timingOf, whenOf, withCron, withFields } from './when.ts'
import { whenWords } from './when-words.ts'

const at = (cron: string) => whenOf({ cron, intervalMinutes: null })

test.each([
  ['0 4 * * *', { repeats: 'daily', time: '04:00' }],
  ['@daily', { repeats: 'daily', time: '00:00' }],
  ['5 * * * *', { repeats: 'hourly', minute: 5 }],
  ['15 6 * * mon,FRI', { repeats: 'weekly', time: '06:15', days: ['1', '5'] }],
  ['0 9 * * 5-7', { repeats: 'weekly', time: '09:00', days: ['0', '5', '6'] }],
  ['30 2 31 * *', { repeats: 'monthly', time: '02:30', day: 31 }],
])('the fields can express %s', (cron, fields) => {
  expect(readCron(cron)).toEqual(fields)
})

test.each([
  '*/5 * * * *',
  '0 4 1 1 *',
  '0 4 1 * 1',
  '61 4 * * *',
  '0 4 * * 1#2',
  '0 4,16 * * *',
  'abc',
])('no fields can express %s', (cron) => {
  expect(readCron(cron)).toBeUndefined()
  expect(at(cron)).toMatchObject({ repeats: 'cron', cron })
})

test('a changed field updates the expression, which is empty while the field is', () => {
  expect(withFields(at('0 4 * * *'), { time: '23:05' }).cron).toBe('5 23 * * *')
  expect(withFields(at('0 4 * * *'), { repeats: 'weekly', days: ['5', '1'] }).cron).toBe(
    '0 4 * * 1,5',
  )
  expect(withFields(at('0 4 * * 1'), { days: [] }).cron).toBe('')
  expect(withFields(at('0 4 1 * *'), { day: Number.NaN }).cron).toBe('')
})

test('a typed expression fills the fields, but the person stays in the expression', () => {
  expect(withCron(at('0 4 * * *'), '0 5 * * 2')).toMatchObject({ repeats: 'weekly', days: ['2'] })
  expect(withCron(at('0 4 * * *'), '*/7 * * * *').repeats).toBe('cron')
  const written = withFields(at('0 4 * * *'), { repeats: 'cron' })
  expect(withCron(written, '0 5 * * 2')).toMatchObject({ repeats: 'cron', time: '05:00' })
})

test.each([
  [90, 'minutes', 90, 'Every 90 minutes'],
  [360, 'hours', 6, 'Every 6 hours'],
  [2880, 'days', 2, 'Every 2 days'],
] as const)('an interval of %i minutes is shown in %s', (intervalMinutes, unit, every, words) => {
  const when = whenOf({ cron: null, intervalMinutes })
  expect(when).toMatchObject({ repeats: 'interval', unit, every })
  expect(timingOf(when)).toEqual({ intervalMinutes })
  expect(whenWords({ cron: null, intervalMinutes, timezone: 'UTC' })).toBe(words)
})

test.each([
  ['0 4 * * *', 'Every day at 04:00 (New York)'],
  ['0 4 * * 1-5', 'Monday to Friday at 04:00 (New York)'],
  ['0 4 1 * *', 'On day 1 of every month at 04:00 (New York)'],
  ['7 * * * *', 'Every hour at :07'],
  ['*/7 * * * *', 'Cron */7 * * * * (New York)'],
])('%s in words', (cron, words) => {
  expect(whenWords({ cron, intervalMinutes: null, timezone: 'America/New_York' })).toBe(words)
})
