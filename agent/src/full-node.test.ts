import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Power } from '@lodge/proto/server.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

  it('creates no new server, but still stops and starts existing ones', async () => {
    const known = randomUUID()
    const desired = { run: 1, install: 1, power: Power.ON, containerSpec: specText() }
    const first = fixture.fleet.setDesired({ serverId: known, ...desired })
    await fixture.start()
    expect(await fixture.fleet.settled(first)).toMatchObject({ state: 'running' })

    await writeFile(join(fixture.folder, 'ballast'), Buffer.alloc(16 * 1024 * 1024)).catch(() => {})
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
})
