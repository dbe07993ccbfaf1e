import { afterAll, beforeAll, describe, it } from 'vitest'
import { applySuite } from './suite/apply.ts'
import type { Bench } from './suite/bench.ts'
import { capabilitySuites, tryWhileRunning } from './suite/capabilities/all.ts'
import type { Stage } from './suite/capabilities/stage.ts'
import { consoleSuite } from './suite/console.ts'
import { installSuite } from './suite/install.ts'
import { lifecycleSuite } from './suite/lifecycle.ts'
import type { Fixture } from './suite/program.ts'
import { type EventWatch, watchEvents } from './suite/watch.ts'

/**
 * Tests the contract in `driver.ts` and `capabilities/`. `make` creates the driver's environment
 * once for the whole suite; `fixture.can` lists what that environment supports, and the tests for
 * anything else are left out.
 */
export function driverSuite(name: string, make: () => Promise<Fixture>, can: Fixture['can']): void {
  describe(`${name} fulfils the driver contract`, () => {
    let fixture: Fixture | null = null
    let events: EventWatch | null = null
    const life = new AbortController()
    let count = 0
    const bench: Bench = {
      fixture: () => present(fixture),
      events: () => present(events),
      signal: life.signal,
      freshId: () => {
        count += 1
        return `suite-${process.pid}-${count}`
      },
    }

    beforeAll(async () => {
      fixture = await make()
      events = watchEvents(fixture.driver, life.signal)
    })
    afterAll(async () => {
      life.abort()
      await fixture?.close()
    }, 60_000)

    applySuite(bench, can)
    lifecycleSuite(bench, can)
    if (can.has.includes('console')) consoleSuite(bench)
    if (can.has.includes('installer')) installSuite(bench, can)
    capabilitySuites(stageOf(bench), can.has)
    it('fulfils the contract of its capabilities on a running server', async () => {
      const stage = stageOf(bench)
      const { server } = await stage.made()
      await stage.driver().start(server.serverId, bench.signal)
      await tryWhileRunning(stage, can.has, server.serverId)
      await stage.driver().remove(server.serverId)
    })
  })
}

function stageOf(bench: Bench): Stage {
  return {
    driver: () => bench.fixture().driver,
    async elsewhere() {
      const other = await bench.fixture().elsewhere?.()
      if (!other) throw new Error('the fixture of a driver with transfer needs a driver elsewhere')
      return other
    },
    signal: () => bench.signal,
    async made() {
      const server = { serverId: bench.freshId(), generation: 3, run: 7 }
      const spec = bench.fixture().spec({ kind: 'run' })
      await bench.fixture().driver.apply(server, spec, () => {}, bench.signal)
      return { server, spec }
    },
  }
}

function present<T>(value: T | null): T {
  if (value === null) throw new Error('the environment of the suite was not created')
  return value
}
