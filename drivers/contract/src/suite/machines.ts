import type { MachineSpec } from '@lodge/shared/machine-spec.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Capability } from '../capabilities.ts'
import type { BootPermit, Driver } from '../driver.ts'
import { specFingerprint } from '../fingerprint.ts'
import { capabilitySuites, tryWhileRunning } from './capabilities/all.ts'
import type { Stage } from './capabilities/stage.ts'
import { type GuestProgram, guestConsoleSuite, type StartedGuest } from './guest-console.ts'
import { having } from './having.ts'
import { promisedIf } from './promised-if.ts'
import { type ConsoleWatch, type EventWatch, watchConsole, watchEvents } from './watch.ts'

export type MachineDriver = Driver<MachineSpec>

/** The environment of a machine driver. */
export interface MachineFixture {
  /** The current driver object. */
  readonly driver: MachineDriver
  /**
   * Another driver object on the same runtime, as after a restart of the agent; closes the previous
   * one.
   */
  again(): Promise<MachineDriver>
  /** A driver on another node, for one that has `transfer`. */
  elsewhere(): Promise<MachineDriver>
  /**
   * A complete spec of a distinct machine, installed from an image, with firmware variables and a
   * TPM.
   */
  spec(program: GuestProgram, change?: Partial<MachineSpec>): MachineSpec
  permit(validMs?: number): BootPermit
  close(): Promise<void>
}

const none = () => {}
const MANY_GUESTS_MS = 300_000
const PATIENCE = { timeout: 10_000, interval: 50 }

export interface MachineAbilities {
  /** Whether guests really boot. */
  readonly guests: boolean
  /** Exactly the capabilities that the driver has. */
  readonly has: readonly Capability[]
}

/** Tests the contract in `driver.ts` and `capabilities/` on machines. */
export function machineSuite(
  name: string,
  make: () => Promise<MachineFixture>,
  can: MachineAbilities,
): void {
  describe(`${name} fulfils the contract of a machine driver`, {
    timeout: MANY_GUESTS_MS,
  }, () => {
    /** A guest's behaviour is only visible on its console. */
    const sees = can.has.includes('console')
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

    async function made(program: GuestProgram) {
      const serverId = freshId()
      const spec = fixture.spec(program)
      await fixture.driver.installer?.install(refOf(serverId), spec, none, signal)
      await fixture.driver.apply(refOf(serverId), spec, none, signal)
      return { serverId, spec }
    }
    /** A machine that runs, for tests that need nothing of the guest: it has not booted yet. */
    async function powered(program: GuestProgram): Promise<StartedGuest> {
      const { serverId, spec } = await made(program)
      const lines = sees ? watchConsole(fixture.driver, serverId, signal) : SILENT
      await fixture.driver.start(serverId, signal, fixture.permit())
      return { serverId, spec, lines }
    }
    async function started(program: GuestProgram): Promise<StartedGuest> {
      const guest = await powered(program)
      if (can.guests && sees) await guest.lines.until(program === 'exit' ? 'bye' : 'ready')
      return guest
    }
    const stage: Stage = {
      driver: () => fixture.driver,
      elsewhere: () => fixture.elsewhere(),
      signal: () => signal,
      async made() {
        const { serverId, spec } = await made('run')
        return { server: refOf(serverId), spec }
      },
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
    /** Like a restart of the agent: all subscriptions are renewed. */
    async function restartAgent() {
      life.abort()
      life = new AbortController()
      signal = life.signal
      const driver = await fixture.again()
      events = watchEvents(driver, signal)
    }

    it('returns the version of an available runtime', async () => {
      expect(await fixture.driver.probe(signal)).toMatchObject({
        ok: true,
        version: expect.stringMatching(/\d/),
      })
    })

    it('creates a stopped machine, and changes nothing when repeated', async () => {
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

    it('refuses ids that are paths, and disks that would shrink', async () => {
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

    it('boots nothing without a permit, with an expired one, or an unknown machine', async () => {
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

    it('runs a machine, adopts it after a restart of the agent, and kills it', async () => {
      const { serverId, spec } = await powered('run')
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
      await tryWhileRunning(stage, can.has, serverId)

      await restartAgent()
      expect(await found(serverId)).toEqual(before)
      const [sample] = (await fixture.driver.sample(signal)).filter(
        (one) => one.serverId === serverId,
      )
      expect(sample?.memoryBytes).toBeGreaterThan(0)

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

    promisedIf(can.guests && sees)('shuts a guest down, and starts it again', async () => {
      const { serverId, lines } = await started('run')
      await fixture.driver.signal(serverId, 'SIGTERM')
      const { exit } = await events.until('exited', serverId)
      expect(exit).toMatchObject({ code: 0, signal: null, cause: 'shutdown' })
      expect((await found(serverId))?.lastExit).toEqual(exit)
      const tail = await having(fixture.driver, 'console').tail(serverId, 1000, 'run')
      const before = lines.text().length
      expect(lines.text()).toContain('ready')
      await fixture.driver.start(serverId, signal, fixture.permit())
      await events.until('started', serverId, 2)
      expect(await found(serverId)).toMatchObject({ running: true, lastExit: null })
      // Lines of the previous run must not count for this one.
      await lines.until('ready', before)
      const ready = (all: readonly string[]) => all.filter((line) => line.includes('ready')).length
      // Lines may be stored slightly after they were delivered.
      const tailNow = await vi.waitFor(async () => {
        const kept = await having(fixture.driver, 'console').tail(serverId, 1000, 'run')
        expect(ready(kept)).toBeGreaterThan(0)
        return kept
      }, PATIENCE)
      expect(ready(tailNow)).toBeLessThanOrEqual(ready(tail))
      await remove(serverId)
      await events.until('removed', serverId)
      expect(await found(serverId)).toBeUndefined()
    })

    promisedIf(can.guests && sees)('kills a guest that ignores its power button', async () => {
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

    promisedIf(can.guests && sees)(
      'distinguishes power-off, panic and reboot of a guest',
      async () => {
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
      },
    )

    it('removes a machine completely, and can be repeated', async () => {
      const { serverId } = await powered('run')
      await remove(serverId)
      await events.until('removed', serverId)
      expect(await found(serverId)).toBeUndefined()
      await remove(serverId)
      await remove(freshId())
      if (sees) expect(await having(fixture.driver, 'console').tail(serverId, 5, 'run')).toEqual([])
    })

    if (can.guests && sees)
      guestConsoleSuite({
        driver: () => fixture.driver,
        events: () => events,
        signal: () => signal,
        started,
        restartAgent,
      })
    capabilitySuites(stage, can.has)
  })
}

const SILENT: ConsoleWatch = { text: () => '', until: async () => '' }
