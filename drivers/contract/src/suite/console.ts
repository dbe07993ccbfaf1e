import { describe, expect, it } from 'vitest'
import type { Bench } from './bench.ts'
import { having } from './having.ts'
import type { Program } from './program.ts'
import { watchConsole } from './watch.ts'

const none = () => {}

export function consoleSuite(bench: Bench): void {
  async function applied(program: Program, tty = false): Promise<string> {
    const { driver, spec } = bench.fixture()
    const serverId = bench.freshId()
    await driver.apply(
      { serverId, generation: 1, run: 1 },
      { ...spec(program), tty },
      none,
      bench.signal,
    )
    return serverId
  }

  describe('console', () => {
    it('delivers every line from the first, in order', async () => {
      const { driver } = bench.fixture()
      const serverId = await applied({ kind: 'print', lines: 5000 })
      const lines = watchConsole(driver, serverId, bench.signal)
      await driver.start(serverId, bench.signal)
      const text = await lines.until('line 5000\n')
      const expected = Array.from({ length: 5000 }, (_, index) => `line ${index + 1}\n`).join('')
      expect(text).toBe(expected)
    })

    it('follows a server that does not exist yet, across several runs', async () => {
      const { driver, spec } = bench.fixture()
      const serverId = bench.freshId()
      const lines = watchConsole(driver, serverId, bench.signal)
      await driver.apply(
        { serverId, generation: 1, run: 1 },
        spec({ kind: 'exit', code: 0 }),
        none,
        bench.signal,
      )
      await driver.start(serverId, bench.signal)
      await bench.events().until('exited', serverId, 1)
      await lines.until('bye')
      await driver.start(serverId, bench.signal)
      await bench.events().until('exited', serverId, 2)
      expect((await lines.until('bye\nbye')).match(/bye/g)).toHaveLength(2)
    })

    it('delivers the same output to every follower, and nothing after its abort', async () => {
      const { driver } = bench.fixture()
      const serverId = await applied({ kind: 'echo' })
      const early = new AbortController()
      const [first, second] = [
        watchConsole(driver, serverId, early.signal),
        watchConsole(driver, serverId, bench.signal),
      ]
      await driver.start(serverId, bench.signal)
      await Promise.all([first.until('ready'), second.until('ready')])
      early.abort()
      await having(driver, 'console').write(serverId, Buffer.from('more\n'))
      await second.until('more')
      expect(first.text()).not.toContain('more')
    })

    it.each([false, true])('sends input to the workload (terminal: %s)', async (tty) => {
      const { driver } = bench.fixture()
      const serverId = await applied({ kind: 'echo' }, tty)
      const lines = watchConsole(driver, serverId, bench.signal)
      await driver.start(serverId, bench.signal)
      await lines.until('ready')
      await having(driver, 'console').write(serverId, Buffer.from('say "hello"; $(id)\n'))
      await lines.until('say "hello"; $(id)')
    })

    it('reads and writes a workload that another agent process started', async () => {
      const { driver, again } = bench.fixture()
      const serverId = await applied({ kind: 'echo' })
      const before = watchConsole(driver, serverId, bench.signal)
      await driver.start(serverId, bench.signal)
      await before.until('ready')
      const fresh = again()
      const lines = watchConsole(fresh, serverId, bench.signal)
      await fresh.recover(bench.signal)
      await having(fresh, 'console').write(serverId, Buffer.from('still here\n'))
      await lines.until('still here')
    })

    it('refuses input for a stopped or unknown server', async () => {
      const { driver } = bench.fixture()
      const serverId = await applied({ kind: 'echo' })
      for (const id of [serverId, bench.freshId()]) {
        const work = having(driver, 'console').write(id, Buffer.from('x'))
        await expect(work).rejects.toMatchObject({ code: 'not_running' })
      }
    })

    it('loses nothing when a reader fails', async () => {
      const { driver } = bench.fixture()
      const serverId = await applied({ kind: 'print', lines: 100 })
      const broken = having(driver, 'console').follow(
        serverId,
        () => {
          throw new Error('broken reader')
        },
        bench.signal,
      )
      broken.catch(none)
      const lines = watchConsole(driver, serverId, bench.signal)
      await driver.start(serverId, bench.signal)
      await lines.until('line 100')
    })

    it('keeps the newest lines after the exit and for a new agent process', async () => {
      const { driver, again } = bench.fixture()
      const serverId = await applied({ kind: 'print', lines: 50 })
      const lines = watchConsole(driver, serverId, bench.signal)
      await driver.start(serverId, bench.signal)
      await lines.until('line 50')
      expect(await having(driver, 'console').tail(serverId, 2, 'run')).toEqual([
        'line 49',
        'line 50',
      ])
      await driver.kill(serverId)
      await bench.events().until('exited', serverId)
      expect(await having(again(), 'console').tail(serverId, 3, 'run')).toEqual([
        'line 48',
        'line 49',
        'line 50',
      ])
      expect(await having(driver, 'console').tail(serverId, 0, 'run')).toEqual([])
    })

    it('returns no lines for an unknown server', async () => {
      const { driver } = bench.fixture()
      const serverId = bench.freshId()
      expect(await having(driver, 'console').tail(serverId, 5, 'run')).toEqual([])
      expect(await having(driver, 'console').tail(serverId, 5, 'install')).toEqual([])
    })
  })
}
