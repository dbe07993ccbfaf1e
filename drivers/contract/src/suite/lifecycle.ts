import { access } from 'node:fs/promises'
import { describe, expect, it, vi } from 'vitest'
import { specFingerprint } from '../fingerprint.ts'
import type { Bench } from './bench.ts'
import type { Fixture, Program } from './program.ts'
import { promisedIf } from './promised-if.ts'
import { watchConsole, watchEvents } from './watch.ts'

const none = () => {}
const PATIENCE = { timeout: 20_000, interval: 20 }

export function lifecycleSuite(bench: Bench, can: Fixture['can']): void {
  /** A workload's behaviour is only visible on its console. */
  const sees = can.has.includes('console')

  async function applied(program: Program): Promise<string> {
    const { driver, spec } = bench.fixture()
    const serverId = bench.freshId()
    await driver.apply({ serverId, generation: 3, run: 7 }, spec(program), none, bench.signal)
    return serverId
  }
  async function started(program: Program): Promise<string> {
    const { driver } = bench.fixture()
    const serverId = await applied(program)
    const lines = sees ? watchConsole(driver, serverId, bench.signal) : null
    await driver.start(serverId, bench.signal)
    if (program.kind === 'run' || program.kind === 'deaf') await lines?.until('ready')
    return serverId
  }
  const found = async (serverId: string, driver = bench.fixture().driver) =>
    (await driver.recover(bench.signal)).find((one) => one.serverId === serverId)

  describe('probe', () => {
    it('returns the version of an available runtime', async () => {
      const health = await bench.fixture().driver.probe(bench.signal)
      expect(health).toMatchObject({ ok: true, version: expect.stringMatching(/\d/) })
    })
  })

  describe('start, signal and kill', () => {
    it('does nothing when a running workload is started again', async () => {
      const { driver } = bench.fixture()
      const serverId = await started({ kind: 'run' })
      const before = await found(serverId)
      await driver.start(serverId, bench.signal)
      expect(await found(serverId)).toEqual(before)
      const starts = bench
        .events()
        .of(serverId)
        .filter((event) => event.kind === 'started')
      expect(starts).toHaveLength(1)
    })

    it('refuses to start an unknown server', async () => {
      const work = bench.fixture().driver.start(bench.freshId(), bench.signal)
      await expect(work).rejects.toMatchObject({ code: 'not_found' })
    })

    it('ignores a signal or a kill when nothing runs', async () => {
      const { driver } = bench.fixture()
      const serverId = await applied({ kind: 'run' })
      await driver.signal(serverId, 'SIGTERM')
      await driver.kill(serverId)
      const never = bench.freshId()
      await driver.signal(never, 'SIGTERM')
      await driver.kill(never)
      expect(await found(serverId)).toMatchObject({ running: false })
    })

    it('ends a workload by a signal and reports which one', async () => {
      const { driver } = bench.fixture()
      const serverId = await started({ kind: 'run' })
      await driver.signal(serverId, 'SIGTERM')
      const { exit } = await bench.events().until('exited', serverId)
      expect(exit).toMatchObject({ signal: 'SIGTERM', outOfMemory: false })
      expect((await found(serverId))?.lastExit).toEqual(exit)
    })

    promisedIf(sees)(
      'kills a workload that ignores every other signal, and can be repeated',
      async () => {
        const { driver } = bench.fixture()
        const serverId = await started({ kind: 'deaf' })
        await driver.signal(serverId, 'SIGTERM')
        expect(await found(serverId)).toMatchObject({ running: true })
        await Promise.all([driver.kill(serverId), driver.kill(serverId)])
        const { exit } = await bench.events().until('exited', serverId)
        expect(exit.signal).toBe('SIGKILL')
        await driver.kill(serverId)
      },
    )

    it('starts an exited workload again without recreating it', async () => {
      const { driver } = bench.fixture()
      const serverId = await started({ kind: 'run' })
      await driver.kill(serverId)
      await bench.events().until('exited', serverId)
      await driver.start(serverId, bench.signal)
      await bench.events().until('started', serverId, 2)
      expect(await found(serverId)).toMatchObject({ running: true })
    })

    promisedIf(can.ports)('reports a port that is in use', async () => {
      const { driver, spec } = bench.fixture()
      const ports = [
        { hostAddress: '127.0.0.1', hostPort: 29_871, containerPort: 80, protocol: 'tcp' as const },
      ]
      const [first, second] = [bench.freshId(), bench.freshId()]
      for (const serverId of [first, second]) {
        await driver.apply(
          { serverId, generation: 1, run: 1 },
          { ...spec({ kind: 'run' }), ports },
          none,
          bench.signal,
        )
      }
      await driver.start(first, bench.signal)
      const work = driver.start(second, bench.signal)
      await expect(work).rejects.toMatchObject({
        code: 'port_in_use',
        message: expect.stringContaining('29871'),
      })
      await driver.remove(first)
      await driver.start(second, bench.signal)
      await driver.remove(second)
    })
  })

  describe('the exit of a workload', () => {
    it.each([0, 1, 42])(
      'is reported once with exit code %i, even when it is immediate',
      async (code) => {
        const serverId = await started({ kind: 'exit', code })
        const { exit } = await bench.events().until('exited', serverId)
        expect(exit).toMatchObject({ code, signal: null, outOfMemory: false })
        expect(Math.abs(Date.now() - exit.at.getTime())).toBeLessThan(20_000)
        expect((await found(serverId))?.lastExit).toEqual(exit)
        expect(
          bench
            .events()
            .of(serverId)
            .map((event) => event.kind),
        ).toEqual(['started', 'exited'])
      },
    )

    it('is never followed by an unrequested start', async () => {
      const serverId = await started({ kind: 'exit', code: 1 })
      await bench.events().until('exited', serverId)
      const other = await started({ kind: 'exit', code: 1 })
      await bench.events().until('exited', other)
      expect(await found(serverId)).toMatchObject({ running: false })
      expect(
        bench
          .events()
          .of(serverId)
          .filter((event) => event.kind === 'started'),
      ).toHaveLength(1)
    })

    promisedIf(can.memory)('is reported as out of memory when it was', async () => {
      const serverId = await started({ kind: 'grow' })
      const { exit } = await bench.events().until('exited', serverId)
      expect(exit.outOfMemory).toBe(true)
      await bench.events().until('out-of-memory', serverId)
      expect((await found(serverId))?.lastExit?.outOfMemory).toBe(true)
    })
  })

  describe('recover', () => {
    it('finds everything after a restart of the agent', async () => {
      const { again, spec } = bench.fixture()
      const running = await started({ kind: 'run' })
      const stopped = await applied({ kind: 'run' })
      const fresh = again()
      const fingerprint = specFingerprint(spec({ kind: 'run' }))
      const facts = { generation: 3, run: 7, fingerprint, exists: true }
      expect(await found(running, fresh)).toMatchObject({
        ...facts,
        running: true,
        startedAt: expect.any(Date),
      })
      expect(await found(stopped, fresh)).toMatchObject({ ...facts, running: false })
      const lines = sees ? watchConsole(fresh, running, bench.signal) : null
      const events = watchEvents(fresh, bench.signal)
      await fresh.kill(running)
      expect((await events.until('exited', running)).exit.signal).toBe('SIGKILL')
      expect(lines?.text() ?? '').not.toContain('undefined')
    })

    it('returns the same when repeated', async () => {
      const serverId = await started({ kind: 'run' })
      expect(await found(serverId)).toEqual(await found(serverId))
    })
  })

  describe('remove', () => {
    it('removes workload, network and data, and can be repeated', async () => {
      const { driver } = bench.fixture()
      const serverId = await started({ kind: 'run' })
      await driver.remove(serverId)
      await bench.events().until('removed', serverId)
      expect(await found(serverId)).toBeUndefined()
      await expect(access(driver.dataFolder(serverId))).rejects.toThrow()
      await driver.remove(serverId)
      await driver.remove(bench.freshId())
    })

    it('allows a new server with the same id', async () => {
      const { driver, spec } = bench.fixture()
      const serverId = await started({ kind: 'run' })
      await driver.remove(serverId)
      await driver.apply(
        { serverId, generation: 1, run: 1 },
        spec({ kind: 'run' }),
        none,
        bench.signal,
      )
      await driver.start(serverId, bench.signal)
      expect(await found(serverId)).toMatchObject({ running: true, generation: 1, run: 1 })
    })
  })

  describe('sample', () => {
    it('samples every running workload and nothing else', async () => {
      const { driver } = bench.fixture()
      const running = await started({ kind: 'run' })
      const stopped = await applied({ kind: 'run' })
      const sample = await vi.waitFor(async () => {
        const all = await driver.sample(bench.signal)
        expect(all.some((one) => one.serverId === stopped)).toBe(false)
        const own = all.find((one) => one.serverId === running)
        if (!own) throw new Error('not measured yet')
        return own
      }, PATIENCE)
      expect(sample.memoryBytes).toBeGreaterThan(0)
      expect(sample.memoryBytes).toBeLessThan(256 * 1024 * 1024)
      expect(sample.cpuPercent).toBeGreaterThanOrEqual(0)
      expect(sample.cpuPercent).toBeLessThan(800)
      expect(sample.networkRxBytes).toBeGreaterThanOrEqual(0)
      expect(sample.networkTxBytes).toBeGreaterThanOrEqual(0)
      expect(Math.abs(Date.now() - sample.at.getTime())).toBeLessThan(20_000)
    })
  })
}
