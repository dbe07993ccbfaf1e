import { setTimeout as delay } from 'node:timers/promises'
import type { Domain } from './domain/domains.ts'
import type { Parts } from './parts.ts'
import { isNotRunning } from './port/fault.ts'

/** What libvirt knows without asking inside of the guest is answered within this time. */
const AT_ONCE_MS = 2000
/** An agent that took the order has this long, or a third of all the time. */
const AGENT_GRACE_MS = 20_000

/**
 * Asks a guest to power off, as its spec says, and returns before it has. Where that is the guest's agent,
 * the power button is pressed too when there is no agent, when it refuses, and when nothing came of it.
 */
export async function askToStop(parts: Parts, machine: Domain): Promise<void> {
  const { by, timeoutSeconds } = machine.record.spec.stop
  if (by === 'acpi') return await pressButton(parts, machine)
  const answer = askAgent(parts, machine)
  const soon = await Promise.race([answer, delay(AT_ONCE_MS, 'waiting', { ref: false })])
  if (soon === 'refused') return await pressButton(parts, machine)
  const graceMs = Math.min(AGENT_GRACE_MS, (timeoutSeconds * 1000) / 3)
  if (soon === 'waiting')
    void insist(parts, machine, answer, graceMs).catch((error: unknown) => {
      parts.settings.log(`${machine.record.serverId} could not be asked to stop: ${error}`)
    })
}

/** Presses the button of a guest that is still the same one after that time. */
async function insist(
  parts: Parts,
  machine: Domain,
  answer: Promise<'off' | 'refused'>,
  graceMs: number,
): Promise<void> {
  const outcome = await Promise.race([answer, delay(graceMs, 'waiting', { ref: false })])
  if (outcome === 'off') return
  const now = await parts.domains.byUuid(machine.uuid)
  if (!now?.active) return
  // Started again meanwhile: nobody wants that one to stop.
  if (now.record.startedAt?.getTime() !== machine.record.startedAt?.getTime()) return
  await pressButton(parts, machine)
}

/** libvirt answers when the guest is off: an agent does not say that it will do it. */
async function askAgent({ port }: Parts, { uuid }: Domain): Promise<'off' | 'refused'> {
  try {
    await port.call('shutDownDomain', uuid, 'agent')
    return 'off'
  } catch {
    return 'refused'
  }
}

async function pressButton({ port }: Parts, { uuid }: Domain): Promise<void> {
  try {
    await port.call('shutDownDomain', uuid, 'acpi')
  } catch (error) {
    if (!isNotRunning(error)) throw error
  }
}
