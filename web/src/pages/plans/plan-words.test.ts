import { expect, test } from 'vitest'
import { liveSubscribers, planSummary } from './plan-words.ts'

test('a plan is summarised by its first limits and the number of the others', () => {
  expect(planSummary({ limits: {}, preset: null })).toBe('No limits')
  expect(planSummary({ limits: { maxServers: 3, maxMemoryMb: 8192 }, preset: null })).toBe(
    'Servers: 3, Memory: 8 GiB',
  )
  expect(
    planSummary({
      preset: null,
      limits: { mayShare: false, maxServers: 1, maxDiskMb: 'unlimited', maySftp: true },
    }),
  ).toBe('Servers: 1, Disk: unlimited, Use SFTP: yes and 1 more')
})

test('only live subscriptions are counted', () => {
  const subscribers = {
    incomplete: 1,
    trialing: 2,
    active: 3,
    past_due: 4,
    suspended: 5,
    canceled: 6,
    expired: 7,
  }
  expect(liveSubscribers({ subscribers })).toBe(9)
})
