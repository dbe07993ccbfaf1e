import { access, stat } from 'node:fs/promises'
import { describe, expect, it, vi } from 'vitest'
import type { Progress } from '../driver.ts'
import type { Bench } from './bench.ts'
import { having } from './having.ts'
import type { Fixture, Program } from './program.ts'

export function installSuite(bench: Bench, can: Fixture['can']): void {
  const sees = can.has.includes('console')

  function plan(program: Program) {
    const fixture = bench.fixture()
    const serverId = bench.freshId()
    const spec = fixture.withInstaller(fixture.spec({ kind: 'run' }), program)
    const progress: Progress[] = []
    const run = (signal: AbortSignal = bench.signal) =>
      having(fixture.driver, 'installer').install(
        { serverId, generation: 1, run: 1 },
        spec,
        (step) => progress.push(step),
        signal,
      )
    const printed = () => progress.flatMap((step) => step.logLines ?? [])
    return { serverId, spec, run, printed, driver: fixture.driver }
  }

  describe('install', () => {
    it('runs the installer to completion and keeps its output', async () => {
      const { serverId, run, printed, driver } = plan({ kind: 'exit', code: 0 })
      await run()
      expect(printed()).toContain('bye')
      if (sees)
        expect(await having(driver, 'console').tail(serverId, 10, 'install')).toContain('bye')
    })

    it.each([1, 42])(
      'fails when the installer exits with %i, and keeps its output',
      async (code) => {
        const { serverId, run, driver } = plan({ kind: 'exit', code })
        await expect(run()).rejects.toMatchObject({
          code: 'install_failed',
          message: expect.stringContaining(String(code)),
        })
        if (sees)
          expect(await having(driver, 'console').tail(serverId, 10, 'install')).toContain('bye')
      },
    )

    it('can be repeated after a failure, on the same data', async () => {
      const { serverId, run, driver } = plan({ kind: 'store', bytes: 10 })
      const stop = new AbortController()
      const first = run(stop.signal)
      const kept = `${driver.dataFolder(serverId)}/kept`
      await vi.waitFor(() => access(kept), { timeout: 20_000, interval: 20 })
      stop.abort(new Error('enough'))
      await expect(first).rejects.toThrow('enough')
      expect((await stat(kept)).size).toBe(10)
      const again = plan({ kind: 'exit', code: 0 })
      await having(driver, 'installer').install(
        { serverId, generation: 1, run: 1 },
        again.spec,
        () => {},
        bench.signal,
      )
      expect((await stat(kept)).size).toBe(10)
    })

    it('ends on kill', async () => {
      const { serverId, run, printed, driver } = plan({ kind: 'deaf' })
      const work = run()
      const outcome = expect(work).rejects.toMatchObject({ code: 'install_failed' })
      await vi.waitFor(() => expect(printed()).toContain('ready'), {
        timeout: 20_000,
        interval: 20,
      })
      await driver.kill(serverId)
      await outcome
    })

    it('emits no events of its own', async () => {
      const { serverId, run } = plan({ kind: 'exit', code: 0 })
      await run()
      const other = bench.freshId()
      const { driver, spec } = bench.fixture()
      await driver.apply(
        { serverId: other, generation: 1, run: 1 },
        spec({ kind: 'exit', code: 0 }),
        () => {},
        bench.signal,
      )
      await driver.start(other, bench.signal)
      await bench.events().until('exited', other)
      expect(bench.events().of(serverId)).toEqual([])
    })

    it('leaves data without a workload, which recover reports as such', async () => {
      const { serverId, run, driver } = plan({ kind: 'exit', code: 0 })
      await run()
      const found = (await driver.recover(bench.signal)).find((one) => one.serverId === serverId)
      expect(found).toMatchObject({ exists: false, running: false, generation: 1 })
    })

    it('does nothing for a spec without an installer', async () => {
      const { driver, spec } = bench.fixture()
      const ref = { serverId: bench.freshId(), generation: 1, run: 1 }
      await having(driver, 'installer').install(ref, spec({ kind: 'run' }), () => {}, bench.signal)
    })
  })
}
