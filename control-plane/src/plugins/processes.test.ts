import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PluginProcesses, type Wanted } from './processes.ts'
import { obstacleToSandbox, PATHS, sandboxed } from './sandbox.ts'

// A plugin is a stranger's program: whatever it does, the host goes on, and it sees nothing.

const processes = new PluginProcesses()
const logged: string[] = []
const gaveUp: string[] = []
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-plugins-'))
  processes.ownedBy({
    serve: async (_plugin, call, given) => ({ call, given }),
    log: (_plugin, _level, text) => void logged.push(text),
    gaveUp: ({ id }) => void gaveUp.push(id),
  })
})
afterAll(async () => {
  await processes.stopAll()
  await rm(folder, { recursive: true, force: true })
})

let count = 0
/** A plugin whose health is what this code gives. */
async function plugin(code: string, before = ''): Promise<Wanted> {
  const id = `plugin-${++count}`
  const main = `${id}.mjs`
  await writeFile(
    path.join(folder, main),
    `${before}\nexport default (host) => ({ async health() { ${code} } })`,
  )
  const start = { main, settings: {}, lodgeVersion: '1.0.0' }
  const installedAt = new Date()
  return { id, installedAt, revision: 1, folder, permissions: [], secrets: [], start }
}
const ask = async (wanted: Wanted, ms = 10_000) => processes.call(wanted, 'plugin.health', {}, ms)
const outcome = (wanted: Wanted, ms = 10_000) =>
  ask(wanted, ms).catch((error: { reason?: string }) => error.reason)

test('it sees neither files, processes, environment nor network of the machine', async () => {
  const probes = await plugin(
    `const found = {}
     for (const [name, probe] of Object.entries(probes)) {
       try { found[name] = String(await probe()).slice(0, 80) } catch (error) { found[name] = 'refused' }
     }
     return { ...found, env: Object.keys(process.env).join(), uid: process.getuid(), pid: process.pid }`,
    `import * as fs from 'node:fs'
     import * as net from 'node:net'
     import * as child from 'node:child_process'
     import * as worker from 'node:worker_threads'
     import * as os from 'node:os'
     import * as dgram from 'node:dgram'
     import * as dns from 'node:dns/promises'
     const connect = (to) => new Promise((done, fail) => net.connect(to).once('connect', done).once('error', fail))
     const ran = ({ error, status }) => { if (error || status !== 0) throw error ?? status }
     const probes = {
       passwd: () => fs.readFileSync('/etc/passwd'),
       proc: () => fs.readdirSync('/proc'),
       environ: () => fs.readFileSync('/proc/self/environ'),
       root: () => fs.readdirSync('/'),
       outside: () => fs.readFileSync('/plugin/../node'),
       write: () => fs.writeFileSync('/plugin/x', 'x'),
       tmp: () => fs.writeFileSync('/tmp/x', 'x'),
       dev: () => fs.readFileSync('/dev/null'),
       link: () => fs.symlinkSync('/', '/plugin/link'),
       spawn: () => ran(child.spawnSync('/node', ['--version'])),
       fork: () => new Promise((done, fail) => child.fork('/plugin/x.mjs').once('spawn', done).once('error', fail)),
       worker: () => new worker.Worker('1', { eval: true }),
       eval: () => eval('1 + 1'),
       tcp: () => connect({ host: '1.1.1.1', port: 80 }),
       loopback: () => connect({ host: '127.0.0.1', port: 5432 }),
       socket: () => connect({ path: '/var/run/docker.sock' }),
       udp: () => new Promise((done, fail) => dgram.createSocket('udp4').send('x', 53, '1.1.1.1', (error) => error ? fail(error) : done())),
       dns: () => dns.lookup('example.com'),
       fetch: () => fetch('http://1.1.1.1/'),
       binding: () => process.binding('spawn_sync'),
       setuid: () => process.setuid(0),
       kill: () => process.kill(1, 'SIGSTOP') && process.kill(4000, 0),
     }`,
  )
  const { env, uid, pid, ...found } = (await ask(probes)) as Record<string, unknown>
  expect(Object.entries(found).filter(([, is]) => is !== 'refused')).toEqual([])
  // Its folder, which it knows anyway.
  expect([env, uid]).toEqual(['PWD', 65_534])
  expect(pid).toBeLessThan(10)
})

test('even without the permissions of Node, it writes no file anywhere', async () => {
  const [file, args] = sandboxed(folder)
  const outer = args.slice(0, args.lastIndexOf('/node') + 1)
  const probe = `const fs = require('node:fs')
    const wrote = ['/', '/plugin', '/runner', '/lib', '/dev', '/dev/shm', '/tmp'].filter((folder) => {
      try { fs.writeFileSync(folder + '/x', 'x'); return true } catch { return false }
    })
    fs.writeFileSync('/dev/null', 'x')
    console.log(JSON.stringify(wrote))`
  const { stdout } = await promisify(execFile)(file, [...outer, '-e', probe], { env: PATHS })
  expect(JSON.parse(stdout)).toEqual([])
})

/** Of a process on this machine: parent, session and terminal, from its state on. */
const standingOf = async (pid: number) =>
  (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ')

/** The process on this machine that contains a plugin's. */
async function sandboxOf({ folder }: Wanted): Promise<number> {
  for (const pid of (await readdir('/proc')).map(Number).filter((pid) => pid > 0)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (!command.includes(`\0${folder}\0/plugin\0`)) continue
    const [, parent] = await standingOf(pid)
    if (Number(parent) === process.pid) return pid
  }
  throw new Error('It does not run')
}

test('it has no terminal, and a small share of the CPU as soon as it has started', async () => {
  const other = await mkdtemp(path.join(folder, 'share-'))
  await writeFile(path.join(other, 'main.mjs'), 'export default () => ({ health: () => ({}) })')
  const one = { ...(await plugin('return {}')), folder: other }
  const wanted = { ...one, start: { ...one.start, main: 'main.mjs' } }
  await ask(wanted)
  const pid = await sandboxOf(wanted)
  const share = () => readFile(`/proc/${pid}/autogroup`, 'utf8').catch(() => 'nice 15')
  await expect.poll(share).toContain('nice 15')
  expect(os.getPriority(pid)).toBe(15)
  const [, , , session, terminal] = await standingOf(pid)
  expect([session, terminal]).toEqual([`${pid}`, '0'])
  processes.stop(wanted.id)
})

test.each([
  ['never returns', 'for (;;);', 'timeout', 500],
  ['never answers', 'await new Promise(() => {})', 'timeout', 500],
  [
    'takes all memory',
    'const all = []; for (;;) all.push(new Array(1e6).fill(all.length))',
    'crashed',
    30_000,
  ],
  [
    'takes all memory in buffers',
    'const all = []; for (;;) all.push(Buffer.alloc(64 << 20, 1))',
    'failed',
    30_000,
  ],
  [
    'answers with a gibibyte',
    `const part = 'x'.repeat(1 << 20); for (let at = 0; at < 1024; at++) pipe.write(part); await new Promise(() => {})`,
    'crashed',
    30_000,
  ],
  [
    'floods the host',
    `for (let at = 0; at < 5000; at++) pipe.write('{"level":"info","log":"x"}\\n'); await new Promise(() => {})`,
    'crashed',
    30_000,
  ],
  [
    'sends what is no message',
    `pipe.write('{"id":"1","result":1}\\n'); await new Promise(() => {})`,
    'crashed',
    30_000,
  ],
  [
    'nests without end',
    `pipe.write('{"id":1,"result":' + '['.repeat(1e6) + '\\n'); await new Promise(() => {})`,
    'crashed',
    30_000,
  ],
  [
    'asks without reading the answers',
    `process.stdin.pause()
     const call = JSON.stringify({ id: 1, call: 'storage.set', given: 'x'.repeat(1e6) })
     for (;;) await new Promise((done) => pipe.write(call + '\\n', done))`,
    'crashed',
    30_000,
  ],
  ['ends', 'process.exit(0)', 'crashed', 30_000],
  ['throws nothing', 'throw null', 'failed', 30_000],
  ['refuses', `throw host.refusal('no', 'Not today')`, 'refused', 30_000],
] as const)('the host goes on with a plugin that %s', async (_name, code, reason, ms) => {
  const bad = await plugin(
    code,
    `import { Socket } from 'node:net'\nconst pipe = new Socket({ fd: 3, readable: false })`,
  )
  expect(await outcome(bad, ms)).toBe(reason)
  processes.stop(bad.id)
})

test('one that is asked more than it reads goes on, and the rest is refused at once', async () => {
  const busy = await plugin('await new Promise(() => {})', 'process.stdin.pause()')
  await processes.run(busy)
  const given = { text: 'x'.repeat(1e6) }
  const asked = Array.from({ length: 40 }, () =>
    processes.call(busy, 'plugin.health', given, 60_000).catch(({ message }: Error) => message),
  )
  const first = await Promise.race(asked)
  expect(first).toBe('It has too much to do')
  expect(processes.running().has(busy.id)).toBe(true)
  processes.stop(busy.id)
  const refused = (await Promise.all(asked)).filter((message) => message === first)
  expect(refused.length).toBeGreaterThan(20)
})

test('one that is asked more than it has read yet does not hang, and goes on', async () => {
  const busy = await plugin('await new Promise(() => {})')
  await processes.run(busy)
  const since = processes.running().get(busy.id)
  const given = { text: 'x'.repeat(1e6) }
  const asked = Array.from({ length: 40 }, () =>
    processes.call(busy, 'plugin.health', given, 60_000).catch(({ message }: Error) => message),
  )
  expect(await Promise.race(asked)).toBe('It has too much to do')
  await processes.checkAll()
  // It answers, and it is the same process.
  const unknown = processes.call(busy, 'plugin.unknown', {}, 60_000)
  await expect(unknown).rejects.toMatchObject({ reason: 'unsupported' })
  expect(processes.running().get(busy.id)).toBe(since)
  processes.stop(busy.id)
  await Promise.all(asked)
})

test('answers that change prototypes change nothing', async () => {
  const sly = await plugin(
    `pipe.write('{"id":2,"result":{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}}\\n')
     return {}`,
    `import { Socket } from 'node:net'\nconst pipe = new Socket({ fd: 3, readable: false })`,
  )
  await ask(sly)
  expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false)
  for (const method of ['__proto__.x', 'constructor.name', 'plugin.toString', 'plugin.constructor'])
    await expect(processes.call(sly, method, {}, 1000)).rejects.toMatchObject({
      reason: 'unsupported',
    })
})

test('one that fails again and again starts later and later, and then not any more', async () => {
  const bad = await plugin('', `throw new Error('broken')`)
  let at = Date.now()
  processes.now = () => at
  const waits: number[] = []
  expect(await outcome(bad)).toBe('failed')
  for (let last = at; waits.length < 4; last = at) {
    while ((await outcome(bad)) === 'not_running') at += 500
    waits.push(at - last)
  }
  processes.now = Date.now
  expect(waits).toEqual([1000, 2000, 4000, 8000])
  expect(gaveUp).toEqual([bad.id])
})

test('a later revision or installation takes the place of the one that runs, an earlier one does not', async () => {
  const one = await plugin('return { pid: process.pid, at: performance.timeOrigin }')
  const [first, again] = [await ask(one), await ask(one)]
  expect(again).toEqual(first)
  const revised = await ask({ ...one, revision: 2 })
  expect(revised).not.toEqual(first)
  expect(await ask(one)).toEqual(revised)
  const installedAt = new Date(one.installedAt.getTime() + 1)
  const installedAgain = await ask({ ...one, installedAt })
  expect(installedAgain).not.toEqual(revised)
  expect(await ask({ ...one, revision: 2 })).toEqual(installedAgain)
  expect(processes.running().has(one.id)).toBe(true)
  processes.stop(one.id)
  expect(processes.running().has(one.id)).toBe(false)
})

test('where plugins cannot be isolated none runs, and the reason says what to do', async () => {
  const why = await obstacleToSandbox({ PATH: folder })
  expect(why).toContain('install the package bubblewrap')
  const nowhere = new PluginProcesses(async () => why)
  const one = await plugin('return {}')
  await expect(nowhere.call(one, 'plugin.health', {}, 1000)).rejects.toMatchObject({
    reason: 'not_running',
    message: why,
  })
  expect(await nowhere.trouble(one.id)).toBe(why)
})

test('what kept plugins from running is looked at again after a while, until they can', async () => {
  let why: string | undefined = 'The machine is overloaded'
  let at = 1_000
  let looks = 0
  const overloaded = new PluginProcesses(async () => {
    looks += 1
    return why
  })
  overloaded.now = () => at
  expect(await overloaded.obstacle()).toBe(why)
  why = undefined
  expect(await overloaded.obstacle()).toBe('The machine is overloaded')
  at += 60_000
  expect(await overloaded.obstacle()).toBeUndefined()
  at += 3_600_000
  expect(await overloaded.obstacle()).toBeUndefined()
  expect(looks).toBe(2)
})
