import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdir, mkdtemp, rm, rmdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Trace } from '@lodge/driver/trace.ts'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { testAuthority } from '../testing/authority.fixture.ts'
import { MAIN } from '../update/program.ts'
import { whyNotHealthy } from '../update/trial.ts'
import { trialEndMs } from '../update/trial-time.ts'
import { updater } from '../update/updater.ts'
import { bootMs } from './boot-clock.ts'
import { type Guard, keepGuard } from './keeper.ts'
import { type GuardPlaces, guardPid } from './launch.ts'
import { processesOf } from './processes.ts'
import { recorded } from './record.ts'

const HIERARCHIES = {
  'cgroups of version 2': ['/sys/fs/cgroup/unified', '/sys/fs/cgroup'].find((folder) =>
    existsSync(join(folder, 'cgroup.subtree_control')),
  ),
  'the freezer of version 1': ['/sys/fs/cgroup/freezer'].find((folder) => existsSync(folder)),
}
const isRoot = process.getuid?.() === 0
const HIERARCHY = Object.values(HIERARCHIES).find((folder) => folder !== undefined) ?? ''
/** One that stops itself, and one that starts another before it ends: hard to catch one by one. */
const RESTLESS =
  'sh -c "kill -STOP \\$\\$" & r() { (r) & }; while :; do (sleep 60) & sleep 0.01; done'

describe.skipIf(!isRoot || HIERARCHY === '')('the guard of a node', () => {
  let folder: string
  let places: GuardPlaces
  let guard: Guard
  const groups: string[] = []
  let count = 0

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lodge-guard-'))
    places = {
      folder: join(folder, 'run'),
      recordFile: join(folder, 'guard.jsonl'),
      scope: `test-${process.pid}`,
      prefix: undefined,
    }
    guard = follow()
    await guard.known
  })
  afterEach(async () => {
    await guard.end()
    await rm(folder, { recursive: true, force: true })
  })
  afterAll(async () => {
    for (const group of groups) await rmdir(group).catch(() => {})
  })

  const follow = () => keepGuard(places, createLog('silent'))
  const isAlive = (child: ChildProcess) => child.exitCode === null && child.signalCode === null
  const pidOfGuard = async () => (await guardPid(places.folder)) ?? 0

  /** A container's processes, as the guard sees them. */
  async function container(script: string, hierarchy = HIERARCHY) {
    const name = `${process.pid}x${String(count++).padStart(4, '0')}`
    const group = join(hierarchy, `lodge-test-${name}`)
    await mkdir(group)
    groups.push(group)
    const child = spawn('sh', ['-c', `read go; ${script}`], { stdio: ['pipe', 'ignore', 'ignore'] })
    await once(child, 'spawn')
    await writeFile(join(group, 'cgroup.procs'), String(child.pid))
    child.stdin.end('\n')
    const traces: Trace[] = [{ kind: 'cgroup', name }]
    return { serverId: name, traces, group, child, ended: once(child, 'exit') }
  }
  const left = (group: string) => readFileSync(join(group, 'cgroup.procs'), 'utf8').trim()

  for (const [what, hierarchy] of Object.entries(HIERARCHIES))
    it.skipIf(hierarchy === undefined)(`ends all of a server through ${what}`, async () => {
      const one = await container(RESTLESS, hierarchy)
      const other = await container('sleep 60', hierarchy)
      const deadlineMs = bootMs() + 400
      await guard.renew(deadlineMs)
      await guard.guard(one.serverId, one.traces)
      await one.ended
      const lateMs = bootMs() - deadlineMs
      expect(lateMs).toBeGreaterThanOrEqual(0)
      expect(lateMs).toBeLessThan(2_000)
      await expect.poll(() => left(one.group)).toBe('')
      expect(isAlive(other.child)).toBe(true)
      other.child.kill('SIGKILL')
      await expect.poll(async () => (await recorded(places.recordFile)).length).toBe(1)
      const [entry] = await recorded(places.recordFile)
      expect(entry).toMatchObject({ serverId: one.serverId, deadlineMs })
      expect(entry?.tookMs).toBeLessThan(2_000)
      expect(entry?.processes).toBeGreaterThan(1)
    })

  it('ends programs that were started for a server, and no other of their kind', async () => {
    const start = (line: string) =>
      spawn('sleep', ['60', line], { stdio: 'ignore', argv0: 'sleep' })
    const [own, other] = [start('0.5'), start('0.25')]
    const ended = once(own, 'exit')
    await Promise.all([once(own, 'spawn'), once(other, 'spawn')])
    const networkNamespace = readlinkSync('/proc/self/ns/net')
    const trace: Trace = { kind: 'program', names: ['slee'], line: '\x000.5\0', networkNamespace }
    await guard.guard('machine', [trace])
    expect((await ended)[1]).toBe('SIGKILL')
    expect(isAlive(other)).toBe(true)
    other.kill('SIGKILL')
  })

  it('leaves what is released, and ends a late start at once', async () => {
    const [kept, late] = [await container('sleep 60'), await container('sleep 60')]
    await guard.renew(bootMs() + 60_000)
    await guard.guard(kept.serverId, kept.traces)
    await guard.release(kept.serverId)
    expect(await guard.fence()).toEqual([])
    await guard.guard(late.serverId, late.traces)
    await late.ended
    expect(isAlive(kept.child)).toBe(true)
    kept.child.kill('SIGKILL')
  })

  it('knows the lease of a guard that was killed, and goes on without the agent', async () => {
    const one = await container('sleep 60')
    await guard.renew(bootMs() + 1_500)
    await guard.guard(one.serverId, one.traces)
    const killed = await pidOfGuard()
    process.kill(killed, 'SIGKILL')
    const isBack = async () => ![0, killed].includes(await pidOfGuard())
    await expect.poll(isBack, { interval: 20, timeout: 2_000 }).toBe(true)
    await guard.renew(0)
    guard.close()
    await one.ended
  })

  it('is replaced when it hangs; meanwhile the agent ends what may not run', {
    tags: 'long',
  }, async () => {
    const one = await container('sleep 60')
    await guard.renew(bootMs() + 600)
    await guard.guard(one.serverId, one.traces)
    const hung = await pidOfGuard()
    process.kill(hung, 'SIGSTOP')
    await one.ended
    const isBack = async () => ![0, hung].includes(await pidOfGuard())
    await expect.poll(isBack, { interval: 50, timeout: 8_000 }).toBe(true)
  })

  it('is found again by the next agent, with all that it guards', async () => {
    const one = await container('sleep 60')
    const deadlineMs = bootMs() + 60_000
    await guard.renew(deadlineMs)
    await guard.guard(one.serverId, one.traces)
    const before = await pidOfGuard()
    guard.close()
    guard = follow()
    await guard.known
    expect(guard.deadlineMs).toBe(deadlineMs)
    expect(await pidOfGuard()).toBe(before)
    expect([...processesOf(new Map([[one.serverId, one.traces]])).keys()]).toEqual([one.serverId])
    expect(await guard.fence()).toEqual([])
    await one.ended
  })

  it('outlives the trial of a new agent that does not connect', async () => {
    const version = join(folder, 'version')
    await mkdir(join(version, 'bin'), { recursive: true })
    await mkdir(join(version, 'agent/src'), { recursive: true })
    await symlink(process.execPath, join(version, 'bin/node'))
    await writeFile(join(version, MAIN), 'setInterval(() => {}, 60_000)')
    const one = await container('sleep 60')
    await guard.renew(bootMs() + 25_300)
    await guard.guard(one.serverId, one.traces)
    const former = guard
    former.close()
    const beganMs = bootMs()
    const leftMs = () => trialEndMs(former.lease, beganMs) - bootMs()
    expect(await whyNotHealthy(version, { environment: {}, args: [], leftMs })).toMatch(
      /^it was not connected within \d s$/,
    )
    guard = follow()
    await guard.known
    // The former one has time to come back. A version that does connect renews the lease itself.
    expect((guard.deadlineMs ?? 0) - bootMs()).toBeGreaterThan(15_000)
    await guard.renew(bootMs() + 60_000)
    expect(leftMs()).toBeGreaterThan(20_000)
    expect(isAlive(one.child)).toBe(true)
    one.child.kill('SIGKILL')
  })

  it('keeps its servers from an update for which the lease is too short', async () => {
    const { certificate: caCertificate, sign } = await testAuthority()
    const identity = { nodeId: '', credential: '', fleetAddress: '', serverName: '', caCertificate }
    const update = updater({
      ...{ identity, guard, dataFolder: folder, environment: {}, log: createLog('silent') },
      program: { prefix: folder, folder, build: '', replaceable: true },
      stop: async () => expect.unreachable(),
    })
    const one = await container('sleep 60')
    await guard.renew(bootMs() + 20_000)
    await guard.guard(one.serverId, one.traces)
    const build = createHash('sha256').digest('hex')
    const manifest = JSON.stringify({
      ...{ version: '9.9.9', architecture: process.arch, build, files: [], runtime: null },
    })
    // No lease that follows is longer.
    const renewing = setInterval(() => void guard.renew(bootMs() + 20_000), 100)
    await expect(
      update({
        ...{ taskId: 'update', manifest, signature: sign(manifest) },
        onProgress: () => undefined,
        signal: new AbortController().signal,
      }),
    ).rejects.toThrow('Choose “Make leases longer…” on the page Failover')
    clearInterval(renewing)
    one.child.kill('SIGKILL')
  })
})
