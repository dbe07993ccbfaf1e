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

test('an out-of-memory crash is one crash, listed once', () => {
  const events = [event('out_of_memory', 5), event('crashed', 5, true), event('started', 9)]
  expect(kinds(events)).toEqual({ crashes: 1, shown: ['crashed'] })
})

test('running out of memory without a crash is listed, but does not count as one', () => {
  const events = [event('out_of_memory', 5), event('crashed', 60)]
  expect(kinds(events)).toEqual({ crashes: 1, shown: ['out_of_memory', 'crashed'] })
})

test('giving up is no separate crash, and last week does not count', () => {
  const events = [event('gave_up', 5), event('crashed', 6), event('crashed', 8 * 24 * 60)]
  expect(kinds(events)).toEqual({ crashes: 1, shown: ['gave_up', 'crashed'] })
})
