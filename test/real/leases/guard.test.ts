import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bootMs } from '../../../agent/src/guard/boot-clock.ts'
import { endGuard, type GuardPlaces, guardPid } from '../../../agent/src/guard/launch.ts'
import { FleetFixture } from '../../../agent/src/testing/fleet.fixture.ts'
import { dockerdMissing } from '../../../drivers/docker/src/testing/dockerd.ts'
import {
  busyboxSpec,
  type DockerFixture,
  dockerFixture,
} from '../../../drivers/docker/src/testing/fixture.ts'
import { until } from '../../support/until.ts'

const missing = await dockerdMissing()
const AGENT = path.resolve(import.meta.dirname, '../../../agent/src/testing/guarded-agent.ts')
const TTL_MS = 3_000
/** From the end of a lease until no process runs; the design allows twice as much. */
const BUDGET_MS = 5_000
/** Prints the clock that leases use, which a container shares with its node. */
const TICK = 'while :; do cut -d " " -f 1 /proc/uptime >> /data/ticks; sleep 0.05; done'

describe.skipIf(missing !== null)('a container under the lease of its node', () => {
  let engine: DockerFixture
  let fleet: FleetFixture
  let agent: ChildProcess
  let folder: string
  let places: GuardPlaces
  const serverId = randomUUID()

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'lodge-guarded-'))
    places = {
      folder: path.join(folder, 'run'),
      recordFile: path.join(folder, 'guard.jsonl'),
      scope: `test-${process.pid}`,
      prefix: undefined,
    }
    engine = await dockerFixture({ liveRestore: true })
    fleet = await FleetFixture.open()
    fleet.leaseTtlMs = TTL_MS
    start()
    const desired = fleet.setDesired({
      serverId,
      run: 1,
      install: 1,
      power: 2,
      crashPolicy: { mode: 'never', maxRestarts: 0, windowMinutes: 10, backoffSeconds: [] },
      containerSpec: JSON.stringify(busyboxSpec(TICK)),
      failover: { mode: 'auto', revision: 1 },
    })
    const { failure } = await fleet.settled(desired)
    expect(failure).toBeUndefined()
  })
  afterEach(() => ticking())
  afterAll(async () => {
    agent?.kill('SIGKILL')
    await fleet?.vanish()
    if (places) await endGuard(places)
    await engine?.close()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  function start(): void {
    const given = { identity: fleet.identity, folder, docker: engine.options, places }
    agent = spawn(process.execPath, [AGENT, JSON.stringify(given)], { stdio: 'inherit' })
  }
  const file = () => path.join(engine.driver.dataFolder(serverId), 'ticks')
  async function lastTickMs(): Promise<number> {
    const text = await readFile(file(), 'utf8').catch(() => '')
    return Number(text.trimEnd().split('\n').at(-1)) * 1000
  }
  /** Runs, has a confirmed lease, and the lease is fresh. */
  async function ticking(): Promise<void> {
    await until(async () => bootMs() - (await lastTickMs()) < 500)
    await fleet.until('it is guarded', () => fleet.observed.get(serverId)?.guardedRevision === 1)
    const granted = fleet.grantedMs
    await fleet.until('a lease', () => fleet.grantedMs > granted)
  }
  /** The last tick is before the end of the last lease, and no other follows. */
  async function ends(): Promise<void> {
    await until(async () => bootMs() - (await lastTickMs()) > 2_000, TTL_MS + 2 * BUDGET_MS)
    const lateMs = (await lastTickMs()) - (fleet.grantedMs + TTL_MS)
    expect(lateMs).toBeLessThan(BUDGET_MS)
  }
  const isNoCrash = () => expect(fleet.events.map(({ kind }) => kind)).not.toContain('crashed')

  it('ends when the link is cut, and runs again when it is back', { tags: 'long' }, async () => {
    await ticking()
    await fleet.vanish()
    await ends()
    await fleet.listen()
    await ticking()
    isNoCrash()
  })

  it('ends while the agent is frozen and Docker is dead', async () => {
    await ticking()
    agent.kill('SIGSTOP')
    await engine.engine.kill()
    await ends()
    await engine.engine.restart()
    agent.kill('SIGCONT')
    await ticking()
    isNoCrash()
  })

  it('ends when the agent is killed, and the next one starts it with a permit', async () => {
    await ticking()
    agent.kill('SIGKILL')
    await once(agent, 'exit')
    await ends()
    const asked = fleet.bootQuestions.length
    start()
    await ticking()
    expect(fleet.bootQuestions.length).toBeGreaterThan(asked)
    isNoCrash()
  })

  it('keeps running when its guard is killed, and still ends with the lease', {
    tags: 'long',
  }, async () => {
    await ticking()
    const killed = (await guardPid(places.folder)) ?? 0
    process.kill(killed, 'SIGKILL')
    await until(async () => ![null, killed].includes(await guardPid(places.folder)), 3_000)
    await ticking()
    agent.kill('SIGKILL')
    await once(agent, 'exit')
    await ends()
    start()
  })

  it('keeps running until the end of an extended lease, even without the control plane', {
    tags: 'long',
  }, async () => {
    await ticking()
    fleet.leaseTtlMs = 6 * TTL_MS
    await ticking()
    const longMs = fleet.grantedMs + fleet.leaseTtlMs
    // A shorter lease that follows does not end it.
    fleet.leaseTtlMs = TTL_MS
    const granted = fleet.grantedMs
    await fleet.until('a lease', () => fleet.grantedMs > granted)
    await fleet.vanish()
    await until(() => bootMs() > longMs - 2_000, 6 * TTL_MS)
    expect(bootMs() - (await lastTickMs())).toBeLessThan(1_000)
    await until(async () => bootMs() - (await lastTickMs()) > 2_000, 2 * BUDGET_MS)
    expect(await lastTickMs()).toBeLessThan(longMs + BUDGET_MS)
    await fleet.listen()
  })

  it('ends before the proof of a node that was taken over', async () => {
    await ticking()
    await fleet.vanish()
    Object.assign(fleet, { nodeEpoch: 2, fenced: true })
    await fleet.listen()
    await fleet.until('the proof', () => fleet.proofs.some(({ running }) => running.length === 0))
    const provenMs = bootMs()
    expect(await engine.driver.recover(new AbortController().signal)).toMatchObject([
      { serverId, running: false },
    ])
    await until(async () => (await lastTickMs()) > provenMs)
    expect(fleet.bootQuestions.at(-1)?.searchParams.get('epoch')).toBe('2')
  })
})
