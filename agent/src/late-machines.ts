import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Agent } from './agent.ts'
import type { AnyDriver } from './drivers.ts'

/** What went wrong as one line, for what a person can mend without knowing our code. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, ' ')

export interface LateMachines {
  readonly log: Logger
  /** Starts the agent; `machines` is the driver of virtual machines once there is one. */
  start(machines: AnyDriver | null): Promise<Agent>
  /** Is libvirt there by now? */
  isInstalled(): Promise<boolean>
  openMachines(): Promise<AnyDriver>
  /** Called when the agent could be started once, but not again. */
  failed(error: unknown): void
  readonly lookEveryMs: number
}

/**
 * Runs an agent on a node without libvirt, and looks whether it is installed later. Then the agent is
 * started anew in this process, with virtual machines: as after any restart of it, servers go on running.
 */
export async function startBeforeMachines(given: LateMachines): Promise<Pick<Agent, 'stop'>> {
  let agent: Agent | null = await given.start(null)
  const life = new AbortController()
  const { signal } = life

  async function takeIn(): Promise<void> {
    const machines = await installed()
    if (signal.aborted) return
    given.log.info('libvirt is there now: the agent starts anew, with virtual machines')
    const before = agent
    agent = null
    await before?.stop()
    if (!signal.aborted) agent = await given.start(machines)
  }

  /** Waits for libvirt, and for its driver where that cannot be opened at once. */
  async function installed(): Promise<AnyDriver | null> {
    let told = ''
    for (;;) {
      await delay(given.lookEveryMs, undefined, { signal, ref: false })
      if (!(await given.isInstalled())) continue
      try {
        return await given.openMachines()
      } catch (error) {
        const reason = reasonOf(error)
        // Once, as long as it is the same.
        if (reason !== told) given.log.warn({ reason }, 'libvirt is installed, but cannot be used')
        told = reason
      }
    }
  }

  const taking = takeIn().catch((error: unknown) => {
    if (!signal.aborted) given.failed(error)
  })
  return {
    async stop() {
      life.abort()
      await taking
      await agent?.stop()
    },
  }
}
