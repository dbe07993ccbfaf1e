import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-second-run-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

interface Run {
  code: number
  result: object | undefined
}

/** Runs the program of `npm test` on runs of vitest that end as given. */
function npmTest(runs: readonly Run[], { ci = '1', paths = [] as string[] } = {}) {
  for (const name of ['test', 'place', 'follow-parent'])
    cpSync(path.join(root, `tools/${name}.mjs`), path.join(folder, `tools/${name}.mjs`))
  mkdirSync(path.join(folder, 'node_modules/vitest'), { recursive: true })
  const calls = path.join(folder, 'calls')
  writeFileSync(calls, '')
  const script = `
    import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
    const runs = ${JSON.stringify(runs)}
    const run = runs[readFileSync('${calls}', 'utf8').split('\\n').length - 1]
    appendFileSync('${calls}', process.argv.slice(2).join(' ') + '\\n')
    if (run.result) writeFileSync(process.env.LODGE_TEST_RESULT, JSON.stringify(run.result))
    process.exit(run.code)`
  writeFileSync(path.join(folder, 'node_modules/vitest/vitest.mjs'), script)
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(folder, 'tools/test.mjs'), ...paths],
    { encoding: 'utf8', env: { ...process.env, CI: ci } },
  )
  const called = readFileSync(calls, 'utf8').replaceAll(`${folder}/`, '').trim().split('\n')
  return { status, lastLine: stdout.trim().split('\n').at(-1), stderr, called }
}

const failed = (file: string) => ({ file, passed: 2, errors: ['counts: expected 2 to be 3'] })
const result = (more: object) => ({
  passed: 100,
  failures: 0,
  skipped: 0,
  isFinal: false,
  failed: [],
  ...more,
})
const oneFailed = { code: 1, result: result({ failures: 1, failed: [failed('a.test.ts')] }) }
const alone = { code: 0, result: result({ passed: 3 }) }

test('a file that fails in CI’s full run and passes on its own is named, and the run passes', () => {
  const { status, lastLine, stderr, called } = npmTest([oneFailed, alone])
  expect(called).toEqual(['run', 'run a.test.ts'])
  expect({ status, lastLine }).toEqual({ status: 0, lastLine: '101 passed, 0 failed, 0 skipped' })
  expect(stderr).toContain('a.test.ts\n  counts: expected 2 to be 3')
})

test('a file that also fails on its own fails the run', () => {
  const again = {
    code: 1,
    result: result({ passed: 2, failures: 1, failed: [failed('a.test.ts')] }),
  }
  const { status, lastLine, stderr } = npmTest([oneFailed, again])
  expect({ status, lastLine }).toEqual({ status: 1, lastLine: '100 passed, 1 failed, 0 skipped' })
  expect(stderr).not.toContain('Passed only')
})

test('nothing is run again for more than eight files, for failures outside of files, or without CI', () => {
  const nine = Array.from({ length: 9 }, (_, at) => failed(`${at}.test.ts`))
  const once = (run: Run, options = {}) => {
    const { status, called } = npmTest([run, alone], options)
    expect({ status, calls: called.length }).toEqual({ status: 1, calls: 1 })
  }
  once({ code: 1, result: result({ failures: 9, failed: nine }) })
  once({ code: 1, result: { ...oneFailed.result, isFinal: true } })
  once({ code: 1, result: undefined })
  once(oneFailed, { ci: '' })
  once(oneFailed, { paths: ['a.test.ts'] })
})
