import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Power } from '@lodge/proto/server.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AgentRig, specText } from './testing/agent.rig.ts'

describe.skipIf(process.getuid?.() !== 0)('a node whose disk is full', () => {
  let rig: AgentRig
  beforeAll(async () => {
    rig = await AgentRig.open()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'lodge-full', rig.folder])
  })
  afterAll(async () => {
    await rig.stop()
    execFileSync('umount', ['--lazy', rig.folder])
    await rig.close()
  })

  it('makes no new server, and stops and starts those that are there', async () => {
    const known = randomUUID()
    const wish = { run: 1, install: 1, power: Power.ON, containerSpec: specText() }
    const first = rig.fleet.wish({ serverId: known, ...wish })
    await rig.start()
    expect(await rig.fleet.settled(first)).toMatchObject({ state: 'running' })

    await writeFile(join(rig.folder, 'ballast'), Buffer.alloc(16 * 1024 * 1024)).catch(() => {})
    const refused = rig.fleet.wish({ serverId: randomUUID(), ...wish })
    expect(await rig.fleet.settled(refused)).toMatchObject({
      failure: {
        code: 'disk_full',
        detail: 'The disk of the node is full: nothing new is made on it',
      },
      installFailed: true,
    })
    const stop = rig.fleet.wish({ serverId: known, power: Power.OFF })
    expect(await rig.fleet.settled(stop)).toMatchObject({ state: 'stopped', failure: undefined })
    const start = rig.fleet.wish({ serverId: known, power: Power.ON, run: 2 })
    expect(await rig.fleet.settled(start)).toMatchObject({ state: 'running', failure: undefined })
  })
})
