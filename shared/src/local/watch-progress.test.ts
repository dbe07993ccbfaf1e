import { spawn } from 'node:child_process'
import { expect, onTestFinished, test, vi } from 'vitest'
import { watchProgress } from './watch-progress.ts'

const STALLED_MS = 400

/** A program beneath another one, as in a sandbox. */
function started(script: string) {
  const child = spawn('sh', ['-c', `${script}; true`], { detached: true })
  onTestFinished(() => void process.kill(-(child.pid ?? 0), 'SIGKILL'))
  return child
}

test('a program that only says that it waits has stalled', async () => {
  const talks = `${process.execPath} -e "setInterval(() => console.log('0 % done'.padEnd(500)), 1)"`
  const stalled = vi.fn()
  watchProgress(started(talks), stalled, STALLED_MS)
  await vi.waitFor(() => expect(stalled).toHaveBeenCalledOnce(), 20_000)
})

test('a program that moves bytes has not, however little it says', async () => {
  const moves = spawn('dd', ['if=/dev/zero', 'of=/dev/null', 'bs=4k'])
  onTestFinished(() => void moves.kill('SIGKILL'))
  const waits = started('sleep 100')
  const stalled = vi.fn()
  const other = vi.fn()
  watchProgress(moves, stalled, STALLED_MS)
  watchProgress(waits, other, 3 * STALLED_MS)
  await vi.waitFor(() => expect(other).toHaveBeenCalledOnce(), 20_000)
  expect(stalled).not.toHaveBeenCalled()
})
