import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Agent } from './agent.ts'
import type { AnyDriver } from './drivers.ts'
import { reasonOf } from './reason-of.ts'

export interface LateMachines {
  readonly log: Logger
  /** Starts the agent; `machines` is the driver for virtual machines once there is one. */
  start(machines: AnyDriver | null): Promise<Agent>
  /** Whether libvirt is installed by now. */
  isInstalled(): Promise<boolean>
  openMachines(): Promise<AnyDriver>
  /** Called when the agent was running but could not be started again. */
  failed(error: unknown): void
  readonly lookEveryMs: number
}

/**
 * Runs an agent on a node without libvirt and polls for a later installation of it. Then restarts
 * the agent in this process with virtual machines; as with any restart of the agent, servers keep
 * running.
 */
export async function startBeforeMachines(given: LateMachines): Promise<Pick<Agent, 'stop'>> {
  let agent: Agent | null = await given.start(null)
  const life = new AbortController()
  const { signal } = life

  async function takeIn(): Promise<void> {
    const machines = await installed()
    if (signal.aborted) return
    given.log.info('libvirt is now installed: restarting the agent with virtual machines')
    const before = agent
    agent = null
    await before?.stop()
    if (!signal.aborted) agent = await given.start(machines)
  }

  /** Waits until libvirt is installed and its driver can be opened. */
  async function installed(): Promise<AnyDriver | null> {
    let loggedReason = ''
    for (;;) {
      await delay(given.lookEveryMs, undefined, { signal, ref: false })
      if (!(await given.isInstalled())) continue
      try {
        return await given.openMachines()
      } catch (error) {
        const reason = reasonOf(error)
        // Log a repeated reason only once.
        if (reason !== loggedReason)
          given.log.warn({ reason }, 'libvirt is installed, but cannot be used')
        loggedReason = reason
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
