import { DEFAULT_CRASH_POLICY } from '@lodge/shared/servers.ts'
import { expect, test } from 'vitest'
import { exitWords, policySentence, restartWords, usedWords, whyItEnded } from './crash-words.ts'

test('the default policy is one sentence', () => {
  expect(policySentence(DEFAULT_CRASH_POLICY)).toBe(
    'After a crash it is started again: at most 3 restarts in 10 minutes, waiting 5, 15 and then 60 s. Then it stays down and says so.',
  )
})

test('one restart and one wait use the singular', () => {
  expect(
    policySentence({ mode: 'always', maxRestarts: 1, windowMinutes: 1, backoffSeconds: [30] }),
  ).toBe(
    'After every exit it is started again: at most 1 restart in 1 minute, waiting 30 s. Then it stays down and says so.',
  )
})

test('a policy without restarts is described as one', () => {
  expect(policySentence({ ...DEFAULT_CRASH_POLICY, mode: 'never' })).toContain('never')
  expect(policySentence({ ...DEFAULT_CRASH_POLICY, maxRestarts: 0 })).toBe(
    'After a crash it is not started again.',
  )
})

test('a machine names what ended it, a container its exit code', () => {
  const exit = { code: 1, signal: null, outOfMemory: false, at: '2026-01-01T00:00:00.000Z' }
  expect(exitWords(exit)).toBe('exit code 1')
  expect(whyItEnded(exit)).toBeNull()
  expect(exitWords({ ...exit, cause: 'watchdog' })).toBe('Hung: ended by its watchdog')
  expect(whyItEnded({ ...exit, cause: 'watchdog' })).toContain('watchdog')
  const words = (['shutdown', 'panic', 'watchdog', 'lost', 'ended'] as const).map((cause) =>
    exitWords({ ...exit, cause }),
  )
  expect(new Set(words).size).toBe(5)
  expect(exitWords({ ...exit, code: 137, outOfMemory: true })).toBe('Out of memory')
  expect(exitWords(null)).toBe('')
})

test('a pending restart shows when, and which attempt it is', () => {
  const guard = { attemptsInWindow: 1, maxRestarts: 3 }
  expect(restartWords(11.2, guard)).toBe('Restarts in 12 s (attempt 2 of 3)')
  expect(restartWords(90, guard)).toBe('Restarts in 1 min 30 s (attempt 2 of 3)')
  expect(restartWords(-1, guard)).toBe('Restarts now (attempt 2 of 3)')
  expect(restartWords(12, undefined)).toBe('Restarts in 12 s')
  expect(restartWords(12, { ...guard, maxRestarts: 1 })).toBe('Restarts in 12 s (attempt 2)')
})

test('a policy shows how many of its restarts are used, once there are any', () => {
  expect(usedWords({ attemptsInWindow: 0, maxRestarts: 3 })).toBeNull()
  expect(usedWords({ attemptsInWindow: 1, maxRestarts: 3 })).toBe(
    '1 of 3 restarts is used at present.',
  )
  expect(usedWords({ attemptsInWindow: 3, maxRestarts: 3 })).toBe(
    '3 of 3 restarts are used at present.',
  )
})
