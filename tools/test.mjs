// `npm test`: all tests and checks. With CI set, the few files that failed in a run of everything are
// run once more by themselves, and that second run decides (docs/decisions/0011-a-second-run.md).
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { at, root, say } from './place.mjs'

/** More files than this have failed for a reason that they share. */
const MOST_FILES = 8

const paths = process.argv.slice(2)
const folder = mkdtempSync(path.join(tmpdir(), 'lodge-test-run-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const first = await vitest(paths, 'first')
const again = process.env.CI && paths.length === 0 && first.code !== 0 ? toRunAgain(first) : []
process.exitCode = again.length > 0 ? await runAgain(again) : first.code

/** Runs the files once more and prints what both runs are worth together; the exit code. */
async function runAgain(files) {
  say(`Failed in the run of everything, and run once more by themselves: ${names(files)}`)
  const second = await vitest(
    files.map(({ file }) => at(file)),
    'second',
  )
  const { result } = second
  if (!result) return second.code || 1
  const still = new Set(result.failed.map(({ file }) => file))
  const unsteady = files.filter(({ file }) => !still.has(file))
  if (unsteady.length > 0) {
    say('Passed only in a run by themselves; mend the test, or what it found:')
    for (const { file, errors } of unsteady) say([file, ...errors].join('\n  '))
  }
  const passed = first.result.passed - sum(files, 'passed') + result.passed
  process.stdout.write(`\n${passed} passed, ${result.failures} failed, ${result.skipped} skipped\n`)
  return second.code
}

/** The files that a second run may judge: none when something else than a few files failed. */
function toRunAgain({ result }) {
  if (!result || result.isFinal || result.failed.length > MOST_FILES) return []
  return result.failed
}

/** Runs vitest; `result` is what test/run/run-reporter.ts wrote of it, if it came that far. */
async function vitest(args, name) {
  const file = path.join(folder, `${name}.json`)
  const child = spawn(
    process.execPath,
    [
      '--import',
      at('tools/follow-parent.mjs'),
      at('node_modules/vitest/vitest.mjs'),
      'run',
      ...args,
    ],
    { cwd: root, env: { ...process.env, LODGE_TEST_RESULT: file }, stdio: 'inherit' },
  )
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal))
  const code = await new Promise((resolve) => child.on('exit', (exit) => resolve(exit ?? 1)))
  return { code, result: read(file) }
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function names(files) {
  return files.map(({ file }) => file).join(', ')
}

function sum(files, key) {
  return files.reduce((total, file) => total + file[key], 0)
}
