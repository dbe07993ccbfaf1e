import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { MachineSpec } from '@lodge/shared/machine-spec.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Guard as BootGuard, bootGuard } from '../../../agent/src/boot/guard.ts'
import { bootMs } from '../../../agent/src/guard/boot-clock.ts'
import { type Guard, keepGuard } from '../../../agent/src/guard/keeper.ts'
import { endGuard, type GuardPlaces } from '../../../agent/src/guard/launch.ts'
import { recorded } from '../../../agent/src/guard/record.ts'
import { createLog } from '../../../agent/src/log.ts'
import { METADATA_URI } from '../../../drivers/libvirt/src/domain/record.ts'
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
const { signal } = new AbortController()

const isFrozen = (pid: number) => /\) T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
const aborted = (cut: AbortSignal) =>
  new Promise<never>((_, reject) => cut.addEventListener('abort', () => reject(cut.reason)))

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

  async function make(serverId: string): Promise<MachineSpec> {
    const { driver } = fixture
    const spec = fixture.spec('run', { profile: { ...BIOS_PROFILE, tpm: true } })
    const ref = { serverId, generation: 1, run: 1 }
    await driver.installer.install(ref, spec, () => {}, signal)
    await driver.apply(ref, spec, () => {}, signal)
    return spec
  }

  it('ends with its TPM when the lease has ended, while libvirt is dead', async () => {
    const { driver, node } = fixture
    const spec = await make(SERVER)
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

  describe('whose libvirt freezes after its hook has accepted a start, until the agent is dead', () => {
    let bootPermits: BootGuard
    let permitFolder: string

    beforeAll(async () => {
      const { node } = fixture
      permitFolder = path.join(folder, 'permits')
      bootPermits = bootGuard({
        hooksFolder: path.join(node.folder, 'etc/hooks'),
        permitFolder,
        mark: METADATA_URI,
        scope: 'default',
        identityFile: '/etc/hostname',
        pidFiles: [path.join(node.folder, 'libvirtd.pid')],
      })
      await bootPermits.install()
      // Named to run after our hook, since libvirt runs hooks in the order of their names.
      const freezes = path.join(node.folder, 'etc/hooks/qemu.d/60-freeze')
      await writeFile(freezes, '#!/bin/sh\n[ "$2" = prepare ] && kill -STOP $PPID\nexit 0\n', {
        mode: 0o755,
      })
      // libvirt detects hooks only when it starts.
      await node.killLibvirtd()
      await node.startLibvirtd()
      await fixture.again()
    })

    /**
     * @returns once libvirt is frozen between the hook and QEMU, and the process that requested the
     * start has exited
     */
    async function freezeInStart(serverId: string) {
      const { node } = fixture
      const { driver } = fixture
      const spec = await make(serverId)
      await guard.guard(serverId, await driver.tracesOf(serverId))
      await bootPermits.grant(spec.uuid, permit())
      const starting = driver.start(serverId, signal, permit()).catch((error: Error) => error)
      const daemon = await node.libvirtdPid()
      await until(() => isFrozen(daemon))
      // The permit is consumed, and nothing runs yet.
      expect(await readdir(permitFolder)).toEqual([])
      expect(await node.qemuPid(spec.uuid)).toBeNull()
      const next = await fixture.again()
      expect(await starting).toBeInstanceOf(Error)
      return { ...spec, next, goOn: () => process.kill(daemon, 'SIGCONT') }
    }

    it('ends with the lease that ended meanwhile, as soon as it appears', async () => {
      const deadlineMs = bootMs() + 60_000
      await guard.renew(deadlineMs)
      const { uuid, goOn } = await freezeInStart('late')
      expect(await guard.fence()).toEqual([])
      goOn()
      const ended = await until(async () =>
        (await recorded(places.recordFile)).find(({ serverId }) => serverId === 'late'),
      )
      expect(ended.processes).toBeGreaterThan(0)
      expect(ended.tookMs).toBeLessThan(2_000)
      expect(await fixture.node.qemuPid(uuid)).toBeNull()
    })

    it('is reported by the next agent only once libvirt has finished with it, also under a new lease', async () => {
      await guard.renew(bootMs() + 60_000)
      const { uuid, next, goOn } = await freezeInStart('later')
      const cut = AbortSignal.timeout(1_000)
      await expect(Promise.race([next.recover(cut), aborted(cut)])).rejects.toThrow()
      goOn()
      const found = await until(async () => await next.recover(signal).catch(() => undefined))
      expect(found.find(({ serverId }) => serverId === 'later')).toMatchObject({ running: false })
      expect(await fixture.node.qemuPid(uuid)).toBeNull()
      expect((await fixture.node.run('virsh', ['domstate', uuid])).output.trim()).toBe('shut off')
    })
  })
})
