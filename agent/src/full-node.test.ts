import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Power } from '@lodge/proto/server.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepGuard } from './guard/keeper.ts'
import { createLog } from './log.ts'
import { AgentFixture, specText } from './testing/agent.fixture.ts'

describe.skipIf(process.getuid?.() !== 0)('a node whose disk is full', () => {
  let fixture: AgentFixture
  beforeAll(async () => {
    fixture = await AgentFixture.open()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'lodge-full', fixture.folder])
  })
  afterAll(async () => {
    await fixture.stop()
    execFileSync('umount', ['--lazy', fixture.folder])
    await fixture.close()
  })

  const fill = () =>
    writeFile(join(fixture.folder, `ballast-${randomUUID()}`), Buffer.alloc(16 << 20)).catch(
      () => {},
    )

  it('creates no new server, but still stops and starts existing ones', async () => {
    const known = randomUUID()
    const desired = { run: 1, install: 1, power: Power.ON, containerSpec: specText() }
    const first = fixture.fleet.setDesired({ serverId: known, ...desired })
    await fixture.start()
    expect(await fixture.fleet.settled(first)).toMatchObject({ state: 'running' })

    await fill()
    const refused = fixture.fleet.setDesired({ serverId: randomUUID(), ...desired })
    expect(await fixture.fleet.settled(refused)).toMatchObject({
      failure: {
        code: 'disk_full',
        detail: 'The disk of the node is full: nothing new is made on it',
      },
      installFailed: true,
    })
    const stop = fixture.fleet.setDesired({ serverId: known, power: Power.OFF })
    expect(await fixture.fleet.settled(stop)).toMatchObject({
      state: 'stopped',
      failure: undefined,
    })
    const start = fixture.fleet.setDesired({ serverId: known, power: Power.ON, run: 2 })
    expect(await fixture.fleet.settled(start)).toMatchObject({
      state: 'running',
      failure: undefined,
    })
  })

  it('stays reachable while links break and agents restart, with the journal it had', async () => {
    const [serverId = ''] = fixture.fleet.desiredStates.keys()
    // The agent would note it, too.
    const schedules = JSON.stringify({ schedules: [] })
    await fixture.fleet.vanish()
    await fixture.fleet.listen()
    const stop = fixture.fleet.setDesired({ serverId, power: Power.OFF, schedules })
    expect(await fixture.fleet.settled(stop)).toMatchObject({ state: 'stopped' })
    await fixture.stop()
    // A journal that is closed gives some space back.
    await fill()
    await fixture.start()
    const start = fixture.fleet.setDesired({ serverId, power: Power.ON, run: 3 })
    expect(await fixture.fleet.settled(start)).toMatchObject({ state: 'running' })

    const work = { $case: 'readAgentLog' as const, value: { lines: 1 } }
    const task = { taskId: randomUUID(), serverId: '', timeout: undefined, work }
    const answers = () => fixture.fleet.said.filter(({ $case }) => $case === 'taskResult')
    for (const count of [1, 2]) {
      fixture.fleet.send({ $case: 'task', value: task })
      await fixture.fleet.until('an answer', () => answers().length === count)
    }
    expect(answers()[1]).toEqual(answers()[0])

    fixture.fleet.desiredStates.clear()
    fixture.fleet.send({ $case: 'desiredEnd', value: {} })
    await fixture.fleet.state(serverId, 'stopped')
    const names = await readdir(fixture.folder)
    expect(names.filter((name) => name.includes('damaged'))).toEqual([])
  })

  it('does not promise that a server is under its lease before the next agent would know', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lodge-full-'))
    const recordFile = join(folder, 'guard.jsonl')
    const places = { folder: join(folder, 'run'), recordFile, scope: `full-${process.pid}` }
    const guard = keepGuard({ ...places, prefix: undefined }, createLog('silent'))
    await guard.known
    await fixture.stop()
    await fill()
    const { fleet } = fixture
    fleet.leaseTtlMs = 60_000
    const tracesOf = async () => [{ kind: 'cgroup' as const, name: 'none' }]
    await fixture.start({ guard, drivers: [{ ...fixture.driver, tracesOf }] })
    const serverId = randomUUID()
    const failover = { mode: 'auto', revision: 3 }
    fleet.setDesired({ serverId, power: Power.OFF, containerSpec: specText(), failover })
    const seen = () => fleet.observed.get(serverId)
    const wanted = () =>
      fleet.said.filter((said) => said.$case === 'heartbeat' && said.value.leaseWanted)
    await fleet.until('it is known under leases', () => seen() && wanted().length > 1)
    expect(seen()?.guardedRevision).toBe(0)

    const names = await readdir(fixture.folder)
    for (const name of names.filter((one) => one.startsWith('ballast')))
      await rm(join(fixture.folder, name))
    await fleet.until('it is promised', () => seen()?.guardedRevision === 3)
    await fixture.stop()
    await guard.end()
    await rm(folder, { recursive: true })
  })
})
