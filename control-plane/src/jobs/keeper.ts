import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Services } from '../context.ts'

/**
 * Something that is put right again and again: it takes no input, may run twice at once on two
 * instances and does little at a time, so one code path serves the normal case and the recovery.
 */
export interface Keeper {
  readonly name: string
  readonly everySeconds: number
  /** Answers what it did, for the log and the figures. */
  run(services: Services): Promise<Readonly<Record<string, number>>>
}

export const keeper = (name: string, everySeconds: number, run: Keeper['run']): Keeper => ({
  name,
  everySeconds,
  run,
})

/** Runs each keeper now and then in its rhythm, never two of the same at once in this process. */
export function startKeepers(
  keepers: readonly Keeper[],
  services: Services,
  log: Logger,
): { stop(): Promise<void> } {
  const ended = new AbortController()
  const loops = keepers.map((one) => loop(one, services, log, ended.signal))
  return {
    async stop() {
      ended.abort()
      await Promise.all(loops)
    },
  }
}

async function loop(
  one: Keeper,
  services: Services,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const did = await one.run(services)
      if (Object.values(did).some((count) => count > 0))
        log.debug({ keeper: one.name, ...did }, 'keeper')
    } catch (error) {
      log.warn({ err: error, keeper: one.name }, 'keeper failed, it runs again')
    }
    // This takes its listener off the signal again, of which there would be a new one each time.
    await pause(one.everySeconds * 1000, undefined, { signal }).catch(() => undefined)
  }
}
