import type { ServerEvent } from '@lodge/shared/servers.ts'
import { expect, test } from 'vitest'
import { troubleOf } from './trouble.ts'

const NOW = Date.parse('2026-11-27T12:00:00.000Z')
const event = (kind: ServerEvent['kind'], minutesAgo: number, outOfMemory = false) =>
  ({
    ...{ id: `${kind}-${minutesAgo}`, kind, at: new Date(NOW - minutesAgo * 60_000).toISOString() },
    exit: kind === 'crashed' ? { code: 137, signal: 'SIGKILL', outOfMemory, cause: null } : null,
  }) as unknown as ServerEvent
const kinds = (events: readonly ServerEvent[]) => {
  const { crashes, shown } = troubleOf(events, NOW)
  return { crashes, shown: shown.map(({ kind }) => kind) }
}

test('a crash for want of memory is one crash, and is said once', () => {
  const events = [event('out_of_memory', 5), event('crashed', 5, true), event('started', 9)]
  expect(kinds(events)).toEqual({ crashes: 1, shown: ['crashed'] })
})

test('memory that ran out without a crash is said, and is none', () => {
  const events = [event('out_of_memory', 5), event('crashed', 60)]
  expect(kinds(events)).toEqual({ crashes: 1, shown: ['out_of_memory', 'crashed'] })
})

test('that no further restart was tried is no crash of its own, and last week is over', () => {
  const events = [event('gave_up', 5), event('crashed', 6), event('crashed', 8 * 24 * 60)]
  expect(kinds(events)).toEqual({ crashes: 1, shown: ['gave_up', 'crashed'] })
})
