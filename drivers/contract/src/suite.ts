import { afterAll, beforeAll, describe } from 'vitest'
import { applySuite } from './suite/apply.ts'
import type { Bench } from './suite/bench.ts'
import { consoleSuite } from './suite/console.ts'
import { installSuite } from './suite/install.ts'
import { lifecycleSuite } from './suite/lifecycle.ts'
import type { Fixture } from './suite/program.ts'
import { type EventWatch, watchEvents } from './suite/watch.ts'

/**
 * The promises of `driver.ts`, executed. `make` builds the driver's world once for the whole suite;
 * what a world cannot do is said by `fixture.can`, and the tests for it are then left out by name.
 */
export function driverSuite(name: string, make: () => Promise<Fixture>, can: Fixture['can']): void {
  describe(`${name} keeps the promises of a driver`, () => {
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
    }, 120_000)
    afterAll(async () => {
      life.abort()
      await fixture?.close()
    }, 60_000)

    applySuite(bench, can)
    lifecycleSuite(bench, can)
    consoleSuite(bench)
    installSuite(bench)
  })
}

function present<T>(value: T | null): T {
  if (value === null) throw new Error('the world of the suite was not built')
  return value
}
