import { DriverError } from '@lodge/driver/driver.ts'
import type { DesiredNode } from '@lodge/proto/fleet.ts'
import { NetworkOpening, NetworkOpenings } from '@lodge/shared/network-opening.ts'
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import type { AnyDriver } from './drivers.ts'
import type { Journal } from './journal/journal.ts'

const SETTING = 'open_networks'
const AGAIN_MS = 15_000

export interface OpenNetworks {
  /**
   * Applies this list from now on and stores it, so that it holds after a restart without the
   * control plane.
   */
  setDesired(node: DesiredNode): void
  stop(): void
}

/** Keeps the drivers informed of the networks that workloads may reach, as last desired. */
export function openNetworks(given: {
  readonly drivers: readonly AnyDriver[]
  readonly journal: Journal
  readonly log: Logger
  readonly clock: Clock
}): OpenNetworks {
  const { drivers, journal, log, clock } = given
  const cancels = new Map<AnyDriver, () => void>()
  let openings = readKept(journal.setting(SETTING))
  let isKept = true

  /** Applies the openings; retries while the runtime is unavailable. */
  async function tell(driver: AnyDriver): Promise<void> {
    cancels.get(driver)?.()
    cancels.delete(driver)
    const wanted = openings
    try {
      await driver.networks?.open(wanted)
    } catch (error) {
      // That the runtime is away is logged once, by whoever waits for it.
      const isAway = error instanceof DriverError && error.code === 'runtime_unavailable'
      const entry = { err: error, driver: driver.kind }
      log[isAway ? 'debug' : 'warn'](entry, 'could not open the networks of workloads')
      if (wanted === openings)
        cancels.set(
          driver,
          clock.after(AGAIN_MS, () => void tell(driver)),
        )
    }
  }
  const tellAll = () => {
    for (const driver of drivers) void tell(driver)
  }

  tellAll()
  return {
    setDesired(node) {
      const wanted = openingsOf(node)
      const isSame = JSON.stringify(wanted) === JSON.stringify(openings)
      if (isSame && isKept) return
      if (!isSame) openings = wanted
      isKept = journal.attempt(() => journal.saveSetting(SETTING, JSON.stringify(openings)))
      if (!isSame) tellAll()
    },
    stop() {
      for (const cancel of cancels.values()) cancel()
    },
  }
}

/** Openings that this agent does not understand, sent by a newer control plane, stay closed. */
function openingsOf({ openings }: DesiredNode): NetworkOpening[] {
  return openings.flatMap(({ network, protocol, fromPort, toPort }) => {
    const ports = fromPort > 0 ? { from: fromPort, to: toPort } : null
    const parsed = NetworkOpening.safeParse({ network, protocol: protocol || null, ports })
    return parsed.success ? [parsed.data] : []
  })
}

function readKept(text: string | undefined): NetworkOpening[] {
  if (text === undefined) return []
  const parsed = NetworkOpenings.safeParse(JSON.parse(text))
  return parsed.success ? parsed.data : []
}
