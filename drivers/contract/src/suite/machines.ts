import type { Readable } from 'node:stream'
import type { MachineSpec } from '@lodge/shared/machine-spec.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Driver } from '../driver.ts'
import { specFingerprint } from '../fingerprint.ts'
import type { BootPermit, Machines } from '../machines.ts'
import { promisedIf } from './promised-if.ts'
import { type EventWatch, watchConsole, watchEvents } from './watch.ts'

export interface MachineDriver extends Driver<MachineSpec> {
  readonly machines: Machines
}

/** What a test wants a guest to do; every driver's fixture says how, in its own world. */
export type GuestProgram =
  /** Prints `ready`, and powers off when it is asked to. */
  | 'run'
  /** Prints `ready` and does not listen to its power button. */
  | 'deaf'
  /** Prints `ready` and then every line of its input. */
  | 'echo'
  /** Prints `bye` and powers itself off. */
  | 'exit'
  /** Prints `ready`, and its system breaks down. */
  | 'panic'
  /** Prints `ready` and restarts itself, again and again. */
  | 'reboot'

/** The world of a driver of machines. */
export interface MachineFixture {
  /** The newest driver object. */
  readonly driver: MachineDriver
  /** Another one on the same runtime, as after a restart of the agent; the one before is closed. */
  again(): Promise<MachineDriver>
  /** A driver on another node. */
  elsewhere(): Promise<MachineDriver>
  /** A whole spec of a machine of its own, installed from an image, with firmware variables and a TPM. */
  spec(program: GuestProgram, change?: Partial<MachineSpec>): MachineSpec
  permit(validMs?: number): BootPermit
  close(): Promise<void>
}

const none = () => {}
const MANY_GUESTS_MS = 300_000

/** The promises of `driver.ts` and `machines.ts`, executed. `guests`: there are real ones that do things. */
export function machineSuite(
  name: string,
  make: () => Promise<MachineFixture>,
  can: { readonly guests: boolean },
): void {
  describe(`${name} keeps the promises of a driver of machines`, {
    timeout: MANY_GUESTS_MS,
  }, () => {
    let fixture: MachineFixture
    let events: EventWatch
    let count = 0
    let life = new AbortController()
    let signal = life.signal
    const freshId = () => {
      count += 1
      return `machine-${process.pid}-${count}`
    }
    const refOf = (serverId: string) => ({ serverId, generation: 3, run: 7 })
    const found = async (serverId: string) =>
      (await fixture.driver.recover(signal)).find((one) => one.serverId === serverId)
    const kinds = (serverId: string) => events.of(serverId).map(({ kind }) => kind)

    async function made(program: GuestProgram, change?: Partial<MachineSpec>) {
      const serverId = freshId()
      const spec = fixture.spec(program, change)
      await fixture.driver.install(refOf(serverId), spec, none, signal)
      await fixture.driver.apply(refOf(serverId), spec, none, signal)
      return { serverId, spec }
    }
    async function started(program: GuestProgram, change?: Partial<MachineSpec>) {
      const { serverId, spec } = await made(program, change)
      const lines = watchConsole(fixture.driver, serverId, signal)
      await fixture.driver.start(serverId, signal, fixture.permit())
      if (can.guests) await lines.until(program === 'exit' ? 'bye' : 'ready')
      return { serverId, spec, lines }
    }
    const remove = (serverId: string) => fixture.driver.remove(serverId)

    beforeAll(async () => {
      fixture = await make()
      events = watchEvents(fixture.driver, signal)
    }, 180_000)
    afterAll(async () => {
      life.abort()
      await fixture?.close()
    }, 120_000)
    /** As the agent's own restart: whatever was watched is watched anew. */
    async function restartAgent() {
      life.abort()
      life = new AbortController()
      signal = life.signal
      const driver = await fixture.again()
      events = watchEvents(driver, signal)
    }

    it('tells the version of a runtime that is there, and what its node can do', async () => {
      expect(await fixture.driver.probe(signal)).toMatchObject({
        ok: true,
        version: expect.stringMatching(/\d/),
      })
      const report = await fixture.driver.machines.report(signal)
      expect(report).toMatchObject({ available: true, emulation: true, tpm: true })
      expect(report.firmware.length).toBeGreaterThan(0)
    })

    it('makes a machine that does not run yet, and changes nothing when that is repeated', async () => {
      const { serverId, spec } = await made('run')
      const first = await found(serverId)
      expect(first).toMatchObject({
        ...{ generation: 3, run: 7, exists: true, running: false },
        ...{ fingerprint: specFingerprint(spec), startedAt: null, lastExit: null },
      })
      const applied = await fixture.driver.apply(refOf(serverId), spec, none, signal)
      expect(applied.restartRequired).toBe(false)
      expect(await found(serverId)).toEqual(first)
      await fixture.driver.signal(serverId, 'SIGTERM')
      await fixture.driver.kill(serverId)
      expect(await found(serverId)).toEqual(first)
      await remove(serverId)
    })

    it('refuses ids that mean something else, and disks that would shrink', async () => {
      for (const serverId of ['../up', 'a/b', '.', ''])
        await expect(
          fixture.driver.apply(refOf(serverId), fixture.spec('run'), none, signal),
        ).rejects.toMatchObject({ code: 'invalid_spec' })
      const { serverId, spec } = await made('run')
      const disks = spec.disks.map((disk) => ({ ...disk, sizeMb: disk.sizeMb - 1 }))
      await expect(
        fixture.driver.apply(refOf(serverId), { ...spec, disks }, none, signal),
      ).rejects.toMatchObject({ code: 'invalid_spec' })
      await remove(serverId)
    })

    it('boots nothing without a permit, with an old one, or that was never made', async () => {
      const { serverId } = await made('run')
      for (const permit of [undefined, fixture.permit(-1000)])
        await expect(fixture.driver.start(serverId, signal, permit)).rejects.toMatchObject({
          code: 'not_permitted',
        })
      await expect(fixture.driver.start(freshId(), signal, fixture.permit())).rejects.toMatchObject(
        {
          code: 'not_found',
        },
      )
      expect(await found(serverId)).toMatchObject({ running: false })
      expect(kinds(serverId)).toEqual([])
      await remove(serverId)
    })

    it('runs a machine, takes it over after a restart of the agent, and ends it', async () => {
      const { serverId, spec } = await started('run')
      const before = await found(serverId)
      expect(before).toMatchObject({ running: true, startedAt: expect.any(Date), lastExit: null })
      await fixture.driver.start(serverId, signal, fixture.permit())
      expect(await found(serverId)).toEqual(before)
      expect(kinds(serverId)).toEqual(['started'])

      const natRules = [{ protocol: 'tcp' as const, hostPort: 29_900, guestPort: 80 }]
      const live = await fixture.driver.apply(refOf(serverId), { ...spec, natRules }, none, signal)
      expect(live.restartRequired).toBe(false)
      const bigger = { ...spec, vcpus: spec.vcpus + 1 }
      const later = await fixture.driver.apply(refOf(serverId), bigger, none, signal)
      expect(later.restartRequired).toBe(true)
      expect(await found(serverId)).toEqual(before)
      await expect(
        fixture.driver.machines.createSnapshot(serverId, snapshotId(9), none, signal),
      ).rejects.toMatchObject({ code: 'not_stopped' })
      await expect(
        fixture.driver.machines.exportManifest(serverId, none, signal),
      ).rejects.toMatchObject({ code: 'not_stopped' })

      await restartAgent()
      expect(await found(serverId)).toEqual(before)
      const [sample] = (await fixture.driver.sample(signal)).filter(
        (one) => one.serverId === serverId,
      )
      expect(sample?.memoryBytes).toBeGreaterThan(0)
      expect((await fixture.driver.machines.screenshot(serverId, signal)).length).toBeGreaterThan(
        50,
      )

      await Promise.all([fixture.driver.kill(serverId), fixture.driver.kill(serverId)])
      const { exit } = await events.until('exited', serverId)
      expect(exit.signal).toBe('SIGKILL')
      if (can.guests) expect(exit.cause).toBe('ended')
      expect((await found(serverId))?.lastExit).toEqual(exit)
      expect(
        (await fixture.driver.sample(signal)).filter((one) => one.serverId === serverId),
      ).toEqual([])
      await remove(serverId)
    })

    promisedIf(can.guests)('asks a guest to power off, and starts it again', async () => {
      const { serverId, lines } = await started('run')
      await fixture.driver.signal(serverId, 'SIGTERM')
      const { exit } = await events.until('exited', serverId)
      expect(exit).toMatchObject({ code: 0, signal: null, cause: 'shutdown' })
      expect((await found(serverId))?.lastExit).toEqual(exit)
      const told = await fixture.driver.console.tail(serverId, 1000, 'run')
      const before = lines.text().length
      expect(lines.text()).toContain('ready')
      await fixture.driver.start(serverId, signal, fixture.permit())
      await events.until('started', serverId, 2)
      expect(await found(serverId)).toMatchObject({ running: true, lastExit: null })
      // Lines of the run before are no lines of this one.
      await lines.until('ready', before)
      const ready = (all: readonly string[]) => all.filter((line) => line.includes('ready')).length
      const toldNow = await fixture.driver.console.tail(serverId, 1000, 'run')
      expect(ready(toldNow)).toBeGreaterThan(0)
      expect(ready(toldNow)).toBeLessThanOrEqual(ready(told))
      await remove(serverId)
      await events.until('removed', serverId)
      expect(await found(serverId)).toBeUndefined()
    })

    promisedIf(can.guests)('ends a guest that does not listen', async () => {
      const { serverId } = await started('deaf')
      await fixture.driver.signal(serverId, 'SIGTERM')
      await fixture.driver.signal(serverId, 'SIGHUP')
      expect(await found(serverId)).toMatchObject({ running: true })
      await fixture.driver.kill(serverId)
      expect((await events.until('exited', serverId)).exit).toMatchObject({
        signal: 'SIGKILL',
        cause: 'ended',
      })
      await remove(serverId)
    })

    promisedIf(can.guests)(
      'carries lines to a guest and back, also for another agent',
      async () => {
        const { serverId, lines } = await started('echo')
        await fixture.driver.console.write(serverId, Buffer.from('say "hello"; $(id)\n'))
        await lines.until('say "hello"; $(id)')
        await restartAgent()
        await fixture.driver.recover(signal)
        const anew = watchConsole(fixture.driver, serverId, signal)
        await fixture.driver.console.write(serverId, Buffer.from('still here\n'))
        await anew.until('still here')
        await fixture.driver.kill(serverId)
        await events.until('exited', serverId)
        const [last] = await fixture.driver.console.tail(serverId, 1, 'run')
        expect(last).toMatch(/still here$/)
        await expect(
          fixture.driver.console.write(serverId, Buffer.from('x')),
        ).rejects.toMatchObject({
          code: 'not_running',
        })
        await remove(serverId)
      },
    )

    promisedIf(can.guests)('tells power-off, breakdown and restart of a guest apart', async () => {
      const [off, broken, again] = await Promise.all([
        started('exit'),
        started('panic'),
        started('reboot'),
      ])
      expect((await events.until('exited', off.serverId)).exit).toMatchObject({
        code: 0,
        cause: 'shutdown',
      })
      expect((await events.until('exited', broken.serverId)).exit).toMatchObject({
        code: 1,
        cause: 'panic',
      })
      await events.until('rebooted', again.serverId)
      expect(await found(again.serverId)).toMatchObject({ running: true })
      expect(kinds(again.serverId)).not.toContain('exited')
      for (const { serverId } of [off, broken, again]) await remove(serverId)
    })

    it('keeps snapshots of a stopped machine, and returns to them', async () => {
      const { serverId, spec } = await made('run')
      const { machines } = fixture.driver
      const first = await machines.createSnapshot(serverId, snapshotId(1), none, signal)
      expect(first.has.firmware).toBe(spec.profile.firmware.kind === 'uefi')
      expect(await machines.createSnapshot(serverId, snapshotId(1), none, signal)).toEqual(first)
      await machines.createSnapshot(serverId, snapshotId(2), none, signal)
      await machines.deleteSnapshot(serverId, snapshotId(2))
      await machines.deleteSnapshot(serverId, snapshotId(2))
      expect(await machines.listSnapshots(serverId)).toEqual([first])
      await machines.restoreSnapshot(serverId, snapshotId(1), none, signal)
      await expect(
        machines.restoreSnapshot(serverId, snapshotId(2), none, signal),
      ).rejects.toMatchObject({ code: 'not_found' })
      await remove(serverId)
    })

    it('moves to another node whole, and not at all when a byte is wrong', async () => {
      const { serverId, spec } = await made('run')
      const target = await fixture.elsewhere()
      const source = fixture.driver.machines
      const manifest = await source.exportManifest(serverId, none, signal)
      const read = (name: string, offset: number, abort: AbortSignal): Promise<Readable> =>
        source.readExport(serverId, name, offset, abort)
      const files = manifest.files.map((file) => ({ ...file, sha256: '0'.repeat(64) }))
      const wrong = { ...manifest, files }
      await expect(
        target.machines.importMachine(refOf(serverId), spec, wrong, read, none, signal),
      ).rejects.toMatchObject({ code: 'copy_damaged' })
      expect(await target.recover(signal)).toEqual([])
      await target.machines.importMachine(refOf(serverId), spec, manifest, read, none, signal)
      await target.machines.importMachine(refOf(serverId), spec, manifest, read, none, signal)
      expect(await target.recover(signal)).toMatchObject([{ serverId, running: false }])
      const there = await target.machines.exportManifest(serverId, none, signal)
      expect(there.files).toEqual(manifest.files)
      await remove(serverId)
      await target.remove(serverId)
      expect(await target.recover(signal)).toEqual([])
    })

    it('takes a machine away whole, as often as it is asked to', async () => {
      const { serverId } = await started('run')
      await remove(serverId)
      await events.until('removed', serverId)
      expect(await found(serverId)).toBeUndefined()
      await remove(serverId)
      await remove(freshId())
      expect(await fixture.driver.console.tail(serverId, 5, 'run')).toEqual([])
    })
  })
}

const snapshotId = (number: number) => `00000000-0000-4000-8000-00000000000${number}`
