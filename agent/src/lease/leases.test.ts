import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DriverError } from '@lodge/driver/driver.ts'
import { LEASE_TIMES } from '@lodge/shared/leases/times.ts'
import { GUARDS_MACHINES, HOLDS_LEASES } from '@lodge/shared/node-abilities.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bootMs } from '../guard/boot-clock.ts'
import { type Guard, keepGuard } from '../guard/keeper.ts'
import type { GuardPlaces } from '../guard/launch.ts'
import { createLog } from '../log.ts'
import { AgentFixture } from '../testing/agent.fixture.ts'

const TTL_MS = 2_500
const TIMES = { ...LEASE_TIMES, ttlMs: TTL_MS, bootLeastMs: 300 }

describe('a node under a lease', () => {
  let fixture: AgentFixture
  let folder: string
  let places: GuardPlaces
  let guard: Guard
  let serverId: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lodge-lease-'))
    places = {
      folder: join(folder, 'run'),
      recordFile: join(folder, 'guard.jsonl'),
      scope: `test-${process.pid}`,
      prefix: undefined,
    }
    guard = keepGuard(places, createLog('silent'))
    await guard.known
    fixture = await AgentFixture.open()
    fixture.fleet.leaseTtlMs = TTL_MS
    serverId = fixture.serverId
  })
  afterEach(async () => {
    await fixture.close()
    await guard.end()
    await rm(folder, { recursive: true, force: true })
  })

  /** The fake driver's workloads are no processes: the agent ends them, as it does everything. */
  const tracesOf = async (id: string) => [{ kind: 'cgroup' as const, name: `none-${id}` }]
  const guarded = () => ({
    guard,
    leaseTimes: TIMES,
    drivers: [{ ...fixture.driver, tracesOf }],
  })
  const isRunning = () => fixture.driver.runtime.servers.get(serverId)?.workload?.running ?? false
  const promised = (revision: number) =>
    fixture.fleet.until(`revision ${revision} is in force`, () => {
      const seen = fixture.fleet.observed.get(serverId)
      return seen?.guardedRevision === revision ? seen : undefined
    })
  const questions = () => fixture.fleet.bootQuestions.length

  /** Starts an agent with a running server that becomes one of mode auto. */
  async function running(): Promise<void> {
    const desired = await fixture.running({}, guarded())
    fixture.fleet.setDesired({ ...desired, failover: { mode: 'auto', revision: 3 } })
    await promised(3)
  }

  it('guards a running server once it has a lease, and starts none without a permit', async () => {
    fixture.fleet.leaseTtlMs = null
    const going = running()
    await fixture.fleet.state(serverId, 'running')
    for (const ability of [HOLDS_LEASES, GUARDS_MACHINES])
      expect(fixture.fleet.hellos[0]?.capabilities).toContain(ability)
    expect(questions()).toBe(0)
    await expect
      .poll(() =>
        fixture.fleet.said.some((one) => one.$case === 'heartbeat' && one.value.leaseWanted),
      )
      .toBe(true)
    // Without a lease it goes on as before, and nothing is promised.
    expect(fixture.fleet.observed.get(serverId)?.guardedRevision).toBe(0)
    expect(isRunning()).toBe(true)
    fixture.fleet.leaseTtlMs = TTL_MS
    await going
    fixture.fleet.bootAnswer = () => ({ decision: 'deny', reasons: ['wrong_epoch'] })
    fixture.driver.crash(serverId)
    await fixture.fleet.until('it is denied', () => questions() > 0)
    expect(isRunning()).toBe(false)
    fixture.fleet.bootAnswer = () => ({})
    await expect.poll(isRunning).toBe(true)
  })

  it('ends it with the lease, which is no crash, and starts it with a permit again', async () => {
    await running()
    await fixture.fleet.vanish()
    await expect.poll(isRunning, { interval: 20, timeout: TTL_MS + 5_000 }).toBe(false)
    const asked = questions()
    await fixture.fleet.listen()
    await expect.poll(isRunning).toBe(true)
    expect(questions()).toBeGreaterThan(asked)
    await fixture.fleet.event(serverId, 'killed')
    expect(fixture.fleet.events.map(({ kind }) => kind)).not.toContain('crashed')
    expect(fixture.fleet.observed.get(serverId)?.guardedRevision).toBe(3)
  })

  it('goes on under the lease after the agent was restarted, and lets a pinned one go', async () => {
    await running()
    await fixture.stop()
    expect(guard.deadlineMs).toBeGreaterThan(0)
    await fixture.start(guarded())
    await promised(3)
    expect(isRunning()).toBe(true)
    expect(fixture.fleet.events.map(({ kind }) => kind)).not.toContain('killed')
    // What an earlier session sent changes nothing.
    const desired = fixture.fleet.desiredStates.get(serverId)
    fixture.fleet.setDesired({ serverId, ...desired, failover: { mode: 'pinned', revision: 2 } })
    const pinned = { mode: 'pinned', revision: 4 }
    const settled = fixture.fleet.setDesired({ serverId, ...desired, failover: pinned })
    await fixture.fleet.settled(settled)
    await promised(0)
    await fixture.fleet.vanish()
    const endMs = guard.deadlineMs ?? 0
    await expect.poll(() => bootMs() > endMs + 500).toBe(true)
    expect(isRunning()).toBe(true)
  })

  it('ends everything guarded when it was taken over, proves it, and starts it in the new epoch', async () => {
    await running()
    await fixture.fleet.vanish()
    Object.assign(fixture.fleet, { nodeEpoch: 2, fenced: true })
    fixture.fleet.bootAnswer = () => (isRunning() ? null : {})
    await fixture.fleet.listen()
    await fixture.fleet.until('the proof', () => fixture.fleet.proofs.length > 0)
    expect(fixture.fleet.proofs[0]).toEqual({ nodeEpoch: 2, running: [] })
    await expect.poll(isRunning).toBe(true)
    expect(fixture.fleet.bootQuestions.at(-1)?.searchParams.get('epoch')).toBe('2')
    await fixture.fleet.event(serverId, 'killed')
  })

  it('proves nothing while a runtime that hangs may still start what an earlier agent asked for', async () => {
    let asked = false
    const hanging = {
      ...guarded(),
      drivers: [
        {
          ...fixture.driver,
          tracesOf,
          start: () => {
            asked = true
            return new Promise<void>(() => {})
          },
        },
      ],
    }
    const { run, install, power, crashPolicy, containerSpec } = await fixture.running({}, guarded())
    const desired = { serverId, run, install, power, crashPolicy, containerSpec }
    fixture.fleet.setDesired({ ...desired, failover: { mode: 'auto', revision: 3 } })
    await promised(3)
    await fixture.stop()
    await fixture.start(hanging)
    fixture.fleet.setDesired({ ...desired, run: 2, failover: { mode: 'auto', revision: 3 } })
    await expect.poll(() => asked).toBe(true)
    await fixture.stop()

    // It was taken over meanwhile, so the server is none of its own any more.
    Object.assign(fixture.fleet, { nodeEpoch: 2, fenced: true })
    fixture.fleet.desiredStates.clear()
    let isBack = false
    const recover = async (signal: AbortSignal) => {
      if (!isBack) throw new DriverError('runtime_unavailable', 'it hangs', { retryable: true })
      return await fixture.driver.recover(signal)
    }
    await fixture.start({
      ...guarded(),
      drivers: [{ ...fixture.driver, tracesOf, recover }],
    })
    await fixture.fleet.until('it says what may run', () => fixture.fleet.proofs.length > 0)
    await fixture.fleet.until('heartbeats', () => {
      const { said } = fixture.fleet
      return said.slice(-3).every(({ $case }) => $case === 'heartbeat')
    })
    expect(fixture.fleet.proofs.map(({ running }) => running)).toEqual([[serverId]])
    isBack = true
    await expect.poll(() => fixture.fleet.proofs.at(-1)?.running).toEqual([])
  })

  it('holds none without a guard', async () => {
    await fixture.running()
    expect(fixture.fleet.hellos[0]?.capabilities).not.toContain(HOLDS_LEASES)
    await fixture.fleet.until('a heartbeat', () =>
      fixture.fleet.said.some((one) => one.$case === 'heartbeat' && !one.value.leaseWanted),
    )
  })
})
