import { stat } from 'node:fs/promises'
import type { ContainerSpec } from '@lodge/shared/container-spec.ts'
import { describe, expect, it } from 'vitest'
import { specFingerprint } from '../fingerprint.ts'
import type { Bench } from './bench.ts'
import type { Fixture } from './program.ts'
import { promisedIf } from './promised-if.ts'
import { watchConsole } from './watch.ts'

const none = () => {}

export function applySuite(bench: Bench, can: Fixture['can']): void {
  /** A workload's behaviour is only visible on its console. */
  const sees = can.has.includes('console')
  const refOf = (serverId: string, run = 1) => ({ serverId, generation: 1, run })
  const found = async (serverId: string) =>
    (await bench.fixture().driver.recover(bench.signal)).filter((one) => one.serverId === serverId)

  describe('apply', () => {
    it('creates a stopped workload and its data folder', async () => {
      const { driver, spec } = bench.fixture()
      const serverId = bench.freshId()
      const applied = await driver.apply(refOf(serverId), spec({ kind: 'run' }), none, bench.signal)
      expect(applied.restartRequired).toBe(false)
      expect((await stat(driver.dataFolder(serverId))).isDirectory()).toBe(true)
      expect(await found(serverId)).toMatchObject([
        { exists: true, running: false, startedAt: null, lastExit: null },
      ])
    })

    it('changes nothing when repeated', async () => {
      const { driver, spec } = bench.fixture()
      const serverId = bench.freshId()
      const first = await driver.apply(refOf(serverId), spec({ kind: 'run' }), none, bench.signal)
      await driver.start(serverId, bench.signal)
      const [before] = await found(serverId)
      const second = await driver.apply(refOf(serverId), spec({ kind: 'run' }), none, bench.signal)
      expect(second).toEqual(first)
      expect(await found(serverId)).toEqual([before])
      expect(
        bench
          .events()
          .of(serverId)
          .filter((event) => event.kind === 'exited'),
      ).toEqual([])
    })

    it('changes memory, CPU and pids of a running workload without a restart', async () => {
      const { driver, spec } = bench.fixture()
      const serverId = bench.freshId()
      const made = spec({ kind: 'run' })
      await driver.apply(refOf(serverId), made, none, bench.signal)
      await driver.start(serverId, bench.signal)
      const [before] = await found(serverId)
      const { memoryMb, cpuPercent, pids } = made.limits
      const limits = {
        ...made.limits,
        memoryMb: memoryMb * 2,
        cpuPercent: cpuPercent * 2,
        pids: pids + 16,
      }
      const applied = await driver.apply(refOf(serverId), { ...made, limits }, none, bench.signal)
      expect(applied.restartRequired).toBe(false)
      expect((await found(serverId))[0]?.startedAt).toEqual(before?.startedAt)
    })

    it('asks for a restart when a running workload has a different spec', async () => {
      const { driver, spec } = bench.fixture()
      const serverId = bench.freshId()
      await driver.apply(refOf(serverId), spec({ kind: 'run' }), none, bench.signal)
      await driver.start(serverId, bench.signal)
      const other = withEnvironment(spec({ kind: 'run' }), { COLOUR: 'green' })
      expect((await driver.apply(refOf(serverId), other, none, bench.signal)).restartRequired).toBe(
        true,
      )
      const [after] = await found(serverId)
      expect(after).toMatchObject({
        running: true,
        fingerprint: specFingerprint(spec({ kind: 'run' })),
      })
    })

    promisedIf(sees)(
      'recreates a stopped workload with a different spec and keeps its data',
      async () => {
        const { driver, spec } = bench.fixture()
        const serverId = bench.freshId()
        await driver.apply(
          refOf(serverId),
          spec({ kind: 'store', bytes: 1000 }),
          none,
          bench.signal,
        )
        const lines = watchConsole(driver, serverId, bench.signal)
        await driver.start(serverId, bench.signal)
        await lines.until('ready')
        await driver.kill(serverId)
        await bench.events().until('exited', serverId)
        const other = spec({ kind: 'print', lines: 3 })
        const applied = await driver.apply(refOf(serverId, 2), other, none, bench.signal)
        expect(applied.restartRequired).toBe(false)
        expect(await found(serverId)).toMatchObject([
          { run: 2, running: false, fingerprint: specFingerprint(other) },
        ])
        await driver.start(serverId, bench.signal)
        await lines.until('line 3')
        expect(
          bench
            .events()
            .of(serverId)
            .some((event) => event.kind === 'removed'),
        ).toBe(false)
        expect((await stat(`${driver.dataFolder(serverId)}/kept`)).size).toBe(1000)
      },
    )

    promisedIf(sees)('passes environment values with special characters unchanged', async () => {
      const { driver, spec } = bench.fixture()
      const serverId = bench.freshId()
      const value = `$(id) \`id\` ; | & > < * ? ~ ! # % "double" 'single' \\back \${HOME} {a,b} ünï=x`
      const made = withEnvironment(spec({ kind: 'environment', variable: 'ODD' }), { ODD: value })
      await driver.apply(refOf(serverId), made, none, bench.signal)
      const lines = watchConsole(driver, serverId, bench.signal)
      await driver.start(serverId, bench.signal)
      expect((await lines.until('ready')).split(/\r?\n/)[0]).toBe(value)
    })

    it('reports whether the kernel enforces the disk limit', async () => {
      const { driver, spec } = bench.fixture()
      const serverId = bench.freshId()
      const made = spec({ kind: 'run' })
      const small = { ...made, limits: { ...made.limits, diskMb: 32 } }
      const applied = await driver.apply(refOf(serverId), small, none, bench.signal)
      expect(applied.diskLimit).toBe(can.disk ? 'enforced' : 'measured')
    })

    promisedIf(can.disk && sees)(
      'stops a workload from writing beyond its disk limit',
      async () => {
        const { driver, spec } = bench.fixture()
        const serverId = bench.freshId()
        const made = spec({ kind: 'store', bytes: 100 * 1024 * 1024 })
        const small = { ...made, limits: { ...made.limits, diskMb: 32 } }
        await driver.apply(refOf(serverId), small, none, bench.signal)
        const lines = watchConsole(driver, serverId, bench.signal)
        await driver.start(serverId, bench.signal)
        await lines.until('ready')
        const { size } = await stat(`${driver.dataFolder(serverId)}/kept`)
        expect(size).toBeGreaterThan(31 * 1024 * 1024)
        expect(size).toBeLessThan(48 * 1024 * 1024)
      },
    )

    it('refuses a data path that is a system folder', async () => {
      const { driver, spec } = bench.fixture()
      for (const dataPath of ['/', '/etc', '/proc/x', '/data/../etc']) {
        const work = driver.apply(
          refOf(bench.freshId()),
          { ...spec({ kind: 'run' }), dataPath },
          none,
          bench.signal,
        )
        await expect(work).rejects.toMatchObject({ code: 'invalid_spec' })
      }
    })

    it('refuses an id that would escape the data folder', async () => {
      const { driver, spec } = bench.fixture()
      for (const serverId of ['../up', 'a/b', '.', '']) {
        const work = driver.apply(refOf(serverId), spec({ kind: 'run' }), none, bench.signal)
        await expect(work).rejects.toMatchObject({ code: 'invalid_spec' })
      }
    })
  })
}

function withEnvironment(spec: ContainerSpec, more: Record<string, string>): ContainerSpec {
  return { ...spec, environment: { ...spec.environment, ...more } }
}
