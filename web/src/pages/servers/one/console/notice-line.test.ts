import { expect, test } from 'vitest'
import { plainLine } from '../plain-line.ts'
import { noticeLine } from './notice-line.ts'

const shown = (notice: { type: string; [field: string]: unknown }) =>
  plainLine(noticeLine(notice) ?? '').trim()

test.each([
  [{ type: 'missed', bytes: 2048 }, '── 2 KiB of output skipped ──'],
  [
    { type: 'exit', code: 1, signal: null, outOfMemory: false, reason: 'restart 1 of 3 in 5 s' },
    '── Exited with code 1: restart 1 of 3 in 5 s ──',
  ],
  [
    { type: 'exit', code: null, signal: 'SIGKILL', outOfMemory: false, reason: '' },
    '── Exited by signal SIGKILL ──',
  ],
  [
    { type: 'exit', code: 137, signal: 'SIGKILL', outOfMemory: true, reason: '' },
    '── Exited with code 137 (out of memory) ──',
  ],
  [
    { type: 'notice', text: 'Too many commands: wait a moment' },
    '── Too many commands: wait a moment ──',
  ],
])('%j is shown as %s', (notice, line) => {
  expect(shown(notice)).toBe(line)
})

test('a state is not a line, and a notice cannot control the terminal', () => {
  expect(noticeLine({ type: 'state', state: 'running' })).toBeUndefined()
  expect(noticeLine({ type: 'notice', text: 'a\u001b[2Jb' })).toContain('── ab ──')
})
