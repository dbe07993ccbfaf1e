import type { ServerEvent } from '@lodge/shared/servers.ts'
import { expect, test } from 'vitest'
import { serverMarks } from './server-marks.ts'

const createdAt = '2026-11-22T10:00:00.000Z'
const event = (kind: ServerEvent['kind'], minute: number): ServerEvent => ({
  id: `${kind} ${minute}`,
  kind,
  at: `2026-11-22T10:${String(minute).padStart(2, '0')}:00.000Z`,
  exit: null,
  reason: '',
  restart: null,
  lastLines: [],
})
const words = (events: readonly ServerEvent[], from: string) =>
  serverMarks({ events, snapshots: [], createdAt, from }).map(({ word }) => word)

test('a crash shows its cause and the decision', () => {
  const crash: ServerEvent = {
    ...event('crashed', 5),
    exit: { code: 137, signal: 'SIGKILL', outOfMemory: true, at: createdAt },
    reason: 'It exited unexpectedly',
    restart: { attempt: 1, of: 3, waitSeconds: 5 },
  }
  const [mark] = serverMarks({ events: [crash], snapshots: [], createdAt, from: createdAt })
  expect(mark).toMatchObject({
    word: 'Crashed',
    tone: 'err',
    at: Date.parse(crash.at) / 1000,
    detail: 'Out of memory. It exited unexpectedly. Restart 1 of 3 in 5 s.',
  })
})

test('an installation after the first one is a reinstallation', () => {
  const events = [event('installed', 20), event('started', 6), event('installed', 5)]
  expect(words(events, createdAt)).toEqual(['Reinstalled', 'Started', 'Installed'])
  expect(words(events, '2026-11-22T10:04:00.000Z')[2]).toBe('Reinstalled')
})

test('a snapshot is a mark with its name', () => {
  const snapshot = {
    id: 'c0ffee00-0000-4000-8000-000000000000',
    name: 'before the update',
    state: 'ready',
    createdAt,
    sizeBytes: null,
    diskMb: 1,
    has: { firmware: false, tpm: false },
  } as const
  expect(
    serverMarks({ events: [], snapshots: [snapshot], createdAt, from: createdAt }),
  ).toMatchObject([{ word: 'Snapshot', detail: 'before the update' }])
})
