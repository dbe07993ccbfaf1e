import type { Console } from '@lodge/driver/capabilities/console.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import type { AnyDriver } from '../drivers.ts'

/** The driver's console, or a silent one that rejects input where the driver has none. */
export const consoleOf = (driver: Pick<AnyDriver, 'console'>): Console => driver.console ?? NONE

const NONE: Console = {
  follow: (_serverId, _onOutput, signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true })
      if (signal.aborted) resolve()
    }),
  write: async () => {
    throw new DriverError('unsupported', 'The server has no console.')
  },
  tail: async () => [],
}
