import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { terminalLog } from '../../tools/terminal-log.mjs'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-tools-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Increments the number in `count`, slowly, while holding the lock. */
const increment = `
  import { readFileSync, writeFileSync } from 'node:fs'
  import { withLock } from '${root}/tools/lock-file.mjs'
  withLock('lock', () => {
    const count = Number(readFileSync('count', 'utf8'))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    writeFileSync('count', String(count + 1))
  })`
const module = (script: string) => ['--input-type=module', '--eval', script]

test('two simultaneous starts do the guarded work one after the other', async () => {
  await writeFile(path.join(folder, 'count'), '0')
  const starts = Array.from({ length: 6 }, () =>
    run(process.execPath, module(increment), { cwd: folder }),
  )
  await Promise.all(starts)
  expect(await readFile(path.join(folder, 'count'), 'utf8')).toBe('6')
})

test('the lock of a killed start does not stop the next one', async () => {
  await writeFile(path.join(folder, 'count'), '0')
  const { pid } = spawnSync(process.execPath, ['--version'])
  await writeFile(path.join(folder, 'lock'), String(pid))
  await run(process.execPath, module(increment), { cwd: folder, timeout: 20_000 })
  expect(await readFile(path.join(folder, 'count'), 'utf8')).toBe('1')
})

test('an unknown task is refused with the list of tasks', () => {
  const { status, stderr } = spawnSync(process.execPath, ['tools/run.mjs', 'fly'], { cwd: root })
  expect(status).toBe(2)
  expect(stderr.toString()).toContain(
    'one of start, agent, backup, restore, import, reset-second-factor, reset-password, test, test:long, uninstall, plugin, check, build, gen, bench',
  )
})

test('a program ends when its parent is killed', async () => {
  const child = `
    import '${root}/tools/follow-parent.mjs'
    import { writeFileSync } from 'node:fs'
    process.on('SIGTERM', () => { writeFileSync('ended', ''); process.exit() })
    writeFileSync('started', '')
    setInterval(() => {}, 1000)`
  const parent = `
    import { spawn } from 'node:child_process'
    import { existsSync } from 'node:fs'
    spawn(process.execPath, ${JSON.stringify(module(child))}, { detached: true, stdio: 'ignore' })
    setInterval(() => existsSync('started') && process.kill(process.pid, 'SIGKILL'), 20)`
  await run(process.execPath, module(parent), { cwd: folder }).catch(() => undefined)
  await expect.poll(() => readFile(path.join(folder, 'ended'), 'utf8').catch(() => 'runs')).toBe('')
})

test('a program that runs out of file descriptors does not mistake that for its parent’s death', async () => {
  const child = `
    import '${root}/tools/follow-parent.mjs'
    import { closeSync, openSync } from 'node:fs'
    const files = []
    try { for (;;) files.push(openSync('/dev/null', 'r')) } catch {}
    // Five checks of the parent.
    setTimeout(() => {
      for (const file of files) closeSync(file)
      process.stdout.write('lives')
      process.exit()
    }, 1_600)`
  const { stdout } = await run(process.execPath, module(child), {
    env: { ...process.env, npm_lifecycle_event: 'start' },
  })
  expect(stdout).toBe('lives')
})

test('the long run contains exactly the files with long tests', async () => {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
  const { stdout } = await run(process.execPath, [vitest, 'list', '--filesOnly', '--json'], {
    cwd: root,
    env: { ...process.env, LODGE_TEST_LENGTH: 'long' },
  })
  const files = JSON.parse(stdout).map(({ file }: { file: string }) => path.relative(root, file))
  for (const file of ['test/chaos/servers/kill.test.ts', 'test/real/start/machine.test.ts'])
    expect(files).toContain(file)
  for (const file of files)
    expect(await readFile(path.join(root, file), 'utf8')).toMatch(
      /lengthOf\('|tags: .long.|expect(Screen|ReadableInTurn)\(/,
    )
})

test('a full run lists its slowest tests before its last line', () => {
  const script = `
    import Reporter from '${root}/tools/plain-reporter.mjs'
    const test = (at) => ({
      fullName: 'does ' + at,
      result: () => ({ state: 'passed' }),
      diagnostic: () => ({ duration: at * 1000 }),
    })
    const module = (_, at) => ({
      relativeModuleId: 'file-' + at + '.test.ts',
      state: () => 'passed',
      children: { allTests: () => [test(at)] },
    })
    new Reporter().onTestRunEnd(Array.from({ length: Number(process.argv[1]) }, module), [])`
  const run = (files: number) =>
    spawnSync(process.execPath, [...module(script), String(files)], { encoding: 'utf8' }).stdout
  const lines = run(120).trim().split('\n')
  expect(lines.filter((line) => line.includes('.test.ts'))).toHaveLength(20)
  expect(lines[1]).toBe('  119.0 s  file-119.test.ts > does 119')
  expect(lines.at(-1)).toBe('120 passed, 0 failed, 0 skipped')
  expect(run(3)).toBe('\n3 passed, 0 failed, 0 skipped\n')
})

test('a terminal shows sentences of a log, each once, and a file keeps all of it', async () => {
  const told: string[] = []
  const log = terminalLog('control plane', path.join(folder, 'log'), (text) => told.push(text))
  const entry = JSON.stringify({
    level: 40,
    err: { message: 'connect ECONNREFUSED\nand more', stack: 'Error: at net.js:1' },
    msg: 'could not reach it',
  })
  for (const line of [entry, entry, 'Not an entry']) log(line)
  const file = path.join(folder, 'log', 'control-plane.log')
  expect(told).toEqual([
    `The control plane says: could not reach it: connect ECONNREFUSED (more in ${file})`,
    `The control plane says: Not an entry (more in ${file})`,
  ])
  expect(await readFile(file, 'utf8')).toBe(`${[entry, entry, 'Not an entry'].join('\n')}\n`)
})
