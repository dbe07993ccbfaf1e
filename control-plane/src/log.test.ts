import { spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { openLog } from './log.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lodge-log-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const told = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { msg: string }).msg)

test('lines below warning are batched, and a warning flushes them at once', async () => {
  const file = path.join(folder, 'lines')
  const log = openLog('info', openSync(file, 'a'))
  log.info('one')
  log.info('two')
  log.warn('three')
  expect(told(readFileSync(file, 'utf8'))).toEqual(['one', 'two', 'three'])
  log.info('four')
  await vi.waitFor(() => expect(told(readFileSync(file, 'utf8')).at(-1)).toBe('four'))
})

test('an exiting process has written every line, even when it crashes', () => {
  const said = (last: string) =>
    spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { openLog } from ${JSON.stringify(path.join(import.meta.dirname, 'log.ts'))}
         const log = openLog('info')
         log.info('one')
         log.info({ password: 'p' }, 'two')
         ${last}`,
      ],
      { encoding: 'utf8' },
    ).stdout
  for (const last of ['process.exit(0)', 'throw new Error()', '']) {
    const text = said(last)
    expect(told(text)).toEqual(['one', 'two'])
    expect(text).not.toContain('"p"')
  }
})

test('a process survives a log that can no longer be written', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { openLog } from ${JSON.stringify(path.join(import.meta.dirname, 'log.ts'))}
       const log = openLog('info')
       for (let line = 0; line < 100; line++) log.warn('nobody hears it')
       process.exitCode = 7`,
    ],
    { encoding: 'utf8', stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'] },
  )
  expect({ status, stderr }).toEqual({ status: 7, stderr: '' })
})
