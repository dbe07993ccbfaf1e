import { DEFAULT_CRASH_POLICY } from '@lodge/shared/servers.ts'
import { expect, test } from 'vitest'
import { exitWords, policySentence, restartWords, usedWords, whyItEnded } from './crash-words.ts'

test('the default policy says when the server is restarted, and what comes after', () => {
  expect(policySentence(DEFAULT_CRASH_POLICY)).toBe(
    'The panel restarts the server after a crash, at most 3 times in 10 minutes, after waiting 5, 15 and then 60 s. After that, it stays stopped and the panel notifies the owner.',
  )
})

test('one restart and one wait use the singular', () => {
  expect(
    policySentence({ mode: 'always', maxRestarts: 1, windowMinutes: 1, backoffSeconds: [30] }),
  ).toBe(
    'The panel restarts the server whenever it exits, at most once in 1 minute, after waiting 30 s. After that, it stays stopped and the panel notifies the owner.',
  )
})

test('a policy without restarts is described as one', () => {
  expect(policySentence({ ...DEFAULT_CRASH_POLICY, mode: 'never' })).toContain('never')
  expect(policySentence({ ...DEFAULT_CRASH_POLICY, maxRestarts: 0 })).toBe(
    'The panel does not restart the server after a crash.',
  )
})

test('a machine names what ended it, a container its exit code', () => {
  const exit = { code: 1, signal: null, outOfMemory: false, at: '2026-01-01T00:00:00.000Z' }
  expect(exitWords(exit)).toBe('Exit code 1')
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
  expect(usedWords({ attemptsInWindow: 1, maxRestarts: 3 })).toBe('1 of 3 restarts used.')
  expect(usedWords({ attemptsInWindow: 3, maxRestarts: 3 })).toBe('3 of 3 restarts used.')
})
