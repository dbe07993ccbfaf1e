import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bootMs } from '../../../agent/src/guard/boot-clock.ts'
import { type Guard, keepGuard } from '../../../agent/src/guard/keeper.ts'
import { endGuard, type GuardPlaces } from '../../../agent/src/guard/launch.ts'
import { createLog } from '../../../agent/src/log.ts'
import {
  BIOS_PROFILE,
  type LibvirtFixture,
  libvirtFixture,
  permit,
} from '../../../drivers/libvirt/src/testing/fixture.ts'
import { libvirtMissing } from '../../../drivers/libvirt/src/testing/node.ts'
import { until } from '../../support/until.ts'

const missing = await libvirtMissing()
const SERVER = 'guarded'

describe.skipIf(missing !== null)('a virtual machine under a lease', () => {
  let fixture: LibvirtFixture
  let folder: string
  let places: GuardPlaces
  let guard: Guard

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'lodge-guarded-'))
    places = {
      folder: path.join(folder, 'run'),
      recordFile: path.join(folder, 'guard.jsonl'),
      scope: `test-${process.pid}`,
      prefix: undefined,
    }
    guard = keepGuard(places, createLog('silent'))
    fixture = await libvirtFixture()
  })
  afterAll(async () => {
    guard?.close()
    await endGuard(places)
    await fixture?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('ends with its TPM when the lease has ended, while libvirt is dead', async () => {
    const { driver, node } = fixture
    const { signal } = new AbortController()
    const spec = fixture.spec('run', { profile: { ...BIOS_PROFILE, tpm: true } })
    const ref = { serverId: SERVER, generation: 1, run: 1 }
    await driver.installer.install(ref, spec, () => {}, signal)
    await driver.apply(ref, spec, () => {}, signal)
    const traces = await driver.tracesOf(SERVER)
    expect(traces).not.toEqual([])
    await guard.renew(bootMs() + 60_000)
    await guard.guard(SERVER, traces)
    await driver.start(SERVER, signal, permit())
    expect(await node.qemuPid(spec.uuid)).not.toBeNull()
    expect(await node.swtpmPid(spec.uuid)).not.toBeNull()
    await node.killLibvirtd()
    const beganMs = bootMs()
    expect(await guard.fence()).toEqual([])
    await until(async () => (await node.qemuPid(spec.uuid)) === null)
    await until(async () => (await node.swtpmPid(spec.uuid)) === null)
    expect(bootMs() - beganMs).toBeLessThan(5_000)
    await node.startLibvirtd()
    const found = await until(async () => await driver.recover(signal).catch(() => undefined))
    expect(found).toMatchObject([{ serverId: SERVER, running: false }])
  })
})
