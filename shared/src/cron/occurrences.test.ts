import { expect, test } from 'vitest'
import { describeOccurrences } from './daylight.ts'
import { nextOccurrence } from './occurrences.ts'
import { wallOf } from './wall-clock.ts'

const BERLIN = 'Europe/Berlin'

function occurrences(cron: string, zone: string, from: string, count: number): Date[] {
  const found: Date[] = []
  let at: Date | null = new Date(from)
  while (found.length < count) {
    at = nextOccurrence({ cron, zone }, at)
    if (at === null) break
    found.push(at)
  }
  return found
}
/** `day hour:minute` on the clock of the zone and in UTC. */
const shown = (cron: string, zone: string, from: string, count: number) =>
  occurrences(cron, zone, from, count).map((at) => {
    const local = new Date(wallOf(zone, at.getTime())).toISOString()
    return `${local.slice(8, 16).replace('T', ' ')} = ${at.toISOString().slice(8, 16).replace('T', ' ')}`
  })

test.each([
  // The clock of Berlin goes from 02:00 to 03:00 on 28 March 2027, and back on 31 October.
  ['30 2 * * *', BERLIN, '2027-03-27T12:00Z', ['28 03:00 = 28 01:00', '29 02:30 = 29 00:30']],
  ['*/20 2 * * *', BERLIN, '2027-03-27T12:00Z', ['28 03:00 = 28 01:00', '29 02:00 = 29 00:00']],
  ['30 2,3 * * *', BERLIN, '2027-03-27T12:00Z', ['28 03:00 = 28 01:00', '28 03:30 = 28 01:30']],
  ['0 1-3 * * *', BERLIN, '2027-03-27T12:00Z', ['28 01:00 = 28 00:00', '28 03:00 = 28 01:00']],
  ['30 * * * *', BERLIN, '2027-03-28T00:00Z', ['28 01:30 = 28 00:30', '28 03:30 = 28 01:30']],
  ['0 */2 * * *', BERLIN, '2027-03-27T22:59Z', ['28 00:00 = 27 23:00', '28 04:00 = 28 02:00']],
  ['30 2 * * *', BERLIN, '2027-10-30T12:00Z', ['31 02:30 = 31 00:30', '01 02:30 = 01 01:30']],
  ['30 2,3 * * *', BERLIN, '2027-10-30T12:00Z', ['31 02:30 = 31 00:30', '31 03:30 = 31 02:30']],
  ['30 * * * *', BERLIN, '2027-10-31T00:00Z', ['31 02:30 = 31 00:30', '31 02:30 = 31 01:30']],
  // New York: 14 March and 7 November.
  ['30 2 * * *', 'America/New_York', '2027-03-13T12:00Z', ['14 03:00 = 14 07:00']],
  [
    '30 1 * * *',
    'America/New_York',
    '2027-11-06T12:00Z',
    ['07 01:30 = 07 05:30', '08 01:30 = 08 06:30'],
  ],
  [
    '30 * * * *',
    'America/New_York',
    '2027-11-07T05:00Z',
    ['07 01:30 = 07 05:30', '07 01:30 = 07 06:30'],
  ],
  // Lord Howe moves by half an hour: 02:00 to 02:30 on 3 October, 02:00 to 01:30 on 4 April.
  [
    '15 2 * * *',
    'Australia/Lord_Howe',
    '2027-10-02T12:00Z',
    ['03 02:30 = 02 15:30', '04 02:15 = 03 15:15'],
  ],
  [
    '45 1 * * *',
    'Australia/Lord_Howe',
    '2027-04-03T12:00Z',
    ['04 01:45 = 03 14:45', '05 01:45 = 04 15:15'],
  ],
  [
    '*/30 * * * *',
    'Australia/Lord_Howe',
    '2027-04-03T14:15Z',
    ['04 01:30 = 03 14:30', '04 01:30 = 03 15:00', '04 02:00 = 03 15:30'],
  ],
  // Midnight does not exist in Havana on 14 March, nor the whole 30 December 2011 on Samoa.
  [
    '0 0 * * *',
    'America/Havana',
    '2027-03-13T12:00Z',
    ['14 01:00 = 14 05:00', '15 00:00 = 15 04:00'],
  ],
  [
    '0 12 * * *',
    'Pacific/Apia',
    '2011-12-29T00:00Z',
    ['29 12:00 = 29 22:00', '31 00:00 = 30 10:00', '31 12:00 = 30 22:00'],
  ],
  // Zones whose clocks never change.
  ['30 2 * * *', 'UTC', '2027-03-27T12:00Z', ['28 02:30 = 28 02:30']],
  ['30 2 * * *', 'Asia/Kolkata', '2027-03-27T12:00Z', ['28 02:30 = 27 21:00']],
  ['0 9 29 2 *', 'Asia/Kolkata', '2027-01-01T00:00Z', ['29 09:00 = 29 03:30']],
])('%s in %s after %s', (cron, zone, from, expected) => {
  expect(shown(cron, zone, from, expected.length)).toEqual(expected)
})

/** Goes through every minute: named times run once, at their first minute or right after a gap. */
function byMinute(walls: readonly number[], pattern: RegExp, named: boolean): number[] {
  const used = new Set<number>()
  const matches = (wallMs: number) => pattern.test(new Date(wallMs).toISOString().slice(11, 16))
  return walls.flatMap((wall, at) => {
    const last = walls[at - 1] ?? wall
    let due = matches(wall) && !(named && used.has(wall))
    if (named)
      for (let gap = last + 60_000; gap < wall; gap += 60_000)
        due ||= !used.has(gap) && matches(gap)
    used.add(wall)
    return due ? [at] : []
  })
}

test('every expression is due at the minutes that going through them one by one finds', () => {
  const changes = [
    [BERLIN, '2027-03-28T01:00Z'],
    [BERLIN, '2027-10-31T01:00Z'],
    ['America/New_York', '2027-03-14T07:00Z'],
    ['America/New_York', '2027-11-07T06:00Z'],
    ['Australia/Lord_Howe', '2027-04-03T15:00Z'],
    ['Australia/Lord_Howe', '2027-10-02T15:30Z'],
    ['Africa/Casablanca', '2027-02-07T02:00Z'],
  ] as const
  const expressions: [string, RegExp, boolean][] = [
    ['15,45 * * * *', /:(15|45)/, false],
    ['*/20 */3 * * *', /(00|03|06|09|12|15|18|21):(00|20|40)/, false],
    ['0,30 1-3 * * *', /0[123]:(00|30)/, true],
    ['7 2 * * *', /02:07/, true],
    ['59 1,2 * * *', /0[12]:59/, true],
    ['0 0,3 * * *', /0[03]:00/, true],
  ]
  for (const [zone, change] of changes) {
    const from = Date.parse(change) - 5 * 3_600_000
    const minutes = Array.from({ length: 600 }, (_, at) => from + at * 60_000)
    const walls = minutes.map((at) => wallOf(zone, at))
    for (const [cron, pattern, named] of expressions) {
      const expected = byMinute(walls, pattern, named).map((at) => minutes[at])
      const found: number[] = []
      let at = nextOccurrence({ cron, zone }, new Date(from - 1))
      while (at !== null && at.getTime() < from + 600 * 60_000) {
        found.push(at.getTime())
        at = nextOccurrence({ cron, zone }, at)
      }
      expect({ cron, zone, change, found }).toEqual({ cron, zone, change, found: expected })
    }
  }
})

test('a schedule that never occurs has no next time, and broken ones throw', () => {
  expect(nextOccurrence({ cron: '0 0 30 2 *', zone: BERLIN }, new Date())).toBeNull()
  expect(() => nextOccurrence({ cron: 'every night', zone: BERLIN }, new Date())).toThrow()
  expect(() => nextOccurrence({ cron: '0 0 * * *', zone: 'Mars/Base' }, new Date())).toThrow()
})

test.each([
  ['30 2 * * *', '2027-03-27T12:00Z', '02:30 does not exist on 28 March 2027: runs at 03:00'],
  [
    '30 2 * * *',
    '2027-10-30T12:00Z',
    '02:30 occurs twice on 31 October 2027: runs the first time only',
  ],
  ['30 * * * *', '2027-10-31T00:45Z', '02:30 occurs twice on 31 October 2027: runs both times'],
  ['0 */2 * * *', '2027-03-28T00:00Z', '02:00 does not exist on 28 March 2027 and is left out'],
  ['0 * * * *', '2027-03-28T00:30Z', null],
  ['30 4 * * *', '2027-03-27T12:00Z', null],
])('what the clock does to %s after %s', (cron, from, note) => {
  const times = occurrences(cron, BERLIN, from, 1)
  const [first] = describeOccurrences({ cron, zone: BERLIN }, new Date(from), times)
  expect(first?.note).toBe(note)
})

test('local times carry the offset of their moment', () => {
  const from = '2027-03-27T12:00Z'
  const times = occurrences('30 2 * * *', BERLIN, from, 2)
  const described = describeOccurrences({ cron: '30 2 * * *', zone: BERLIN }, new Date(from), times)
  expect(described.map(({ local }) => local)).toEqual([
    '2027-03-28T03:00:00+02:00',
    '2027-03-29T02:30:00+02:00',
  ])
})
