import { MOST_CAUGHT_UP } from '@lodge/shared/schedules.ts'
import { expect, test } from 'vitest'
import { decide } from './decide.ts'
import type { DueSchedule } from './due-store.ts'

const NOW = new Date('2027-06-01T12:00:00Z')
const at = (minutesAgo: number) => new Date(NOW.getTime() - minutesAgo * 60_000)

/** Hourly; `next` was due this many minutes ago. */
const hourly = (minutesAgo: number, given: Partial<DueSchedule>): DueSchedule => ({
  id: '',
  serverId: '',
  name: null,
  cron: null,
  intervalMinutes: 60,
  anchoredAt: at(minutesAgo),
  timezone: 'UTC',
  tasks: [
    { action: 'wait', seconds: 1, conditions: [], otherwise: 'skip', continueOnFailure: false },
  ],
  missed: 'skip',
  enabled: true,
  authorId: null,
  nextAt: at(minutesAgo),
  problem: null,
  revision: 1,
  createdAt: at(minutesAgo),
  server: { id: '', name: '', nodeId: '', ownerId: '' },
  authorRole: 'customer',
  holds: [],
  busy: false,
  alone: false,
  used: [],
  mustClaim: false,
  ...given,
})
const unrun = ({ unrun }: ReturnType<typeof decide>) =>
  unrun.map(({ state, dueAt }) => `${state} ${(NOW.getTime() - dueAt.getTime()) / 60_000}`)

test('runs what is due now, and records what passed before it', () => {
  for (const missed of ['skip', 'once'] as const) {
    const decision = decide(hourly(121, { missed }), NOW)
    expect(decision.run).toEqual(at(1))
    expect(unrun(decision)).toEqual(['missed 121', 'missed 61'])
    expect(decision.nextAt).toEqual(at(-59))
  }
})

test('a late occurrence runs only where one run makes up for all missed ones', () => {
  expect(decide(hourly(70, { missed: 'skip' }), NOW)).toMatchObject({ run: null, nextAt: at(-50) })
  const once = decide(hourly(70, { missed: 'once' }), NOW)
  expect([once.run, unrun(once)]).toEqual([at(10), ['missed 70']])
})

test('all missed occurrences are made up one after another, but at most the newest ten', () => {
  const first = decide(hourly(130, { missed: 'all' }), NOW)
  expect(first).toMatchObject({ run: at(130), nextAt: at(70), unrun: [] })
  const aYearAgo = 365 * 24 * 60
  const long = decide(hourly(aYearAgo, { missed: 'all' }), NOW)
  expect(long.run).toEqual(at((MOST_CAUGHT_UP - 1) * 60))
  expect(long.nextAt).toEqual(at((MOST_CAUGHT_UP - 2) * 60))
  const nightly = { cron: '30 4 * * *', intervalMinutes: null, timezone: 'Europe/Berlin' }
  const nights = decide(hourly(aYearAgo, { ...nightly, missed: 'all' }), NOW)
  expect(nights.run).toEqual(new Date('2027-05-23T02:30:00Z'))
})

test('nothing runs beside an open run, or on a server with a hold', () => {
  const busy = decide(hourly(0, { busy: true }), NOW)
  expect([busy.run, unrun(busy)]).toEqual([null, ['skipped 0']])
  const held = decide(hourly(0, { holds: ['suspension'] }), NOW)
  expect(held).toMatchObject({ run: null, unrun: [{ detail: 'The server is suspended' }] })
  expect(decide(hourly(0, { holds: ['migrating'] }), NOW).run).toEqual(NOW)
})
