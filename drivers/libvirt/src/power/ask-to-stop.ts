import { setTimeout as delay } from 'node:timers/promises'
import type { Domain } from '../domain/domains.ts'
import type { Parts } from '../parts.ts'
import { isNotRunning } from '../port/fault.ts'

/** libvirt answers within this time whatever needs no reply from the guest. */
const AT_ONCE_MS = 2000
/**
 * How long a guest agent that accepted the request may take, or a third of the total time if that
 * is less.
 */
const AGENT_GRACE_MS = 20_000

/**
 * Asks a guest to power off as its spec says, and returns before it has. When that goes through the
 * guest agent, the power button is pressed as well if there is no agent, if it refuses, or if
 * nothing happens.
 */
export async function askToStop(parts: Parts, machine: Domain): Promise<void> {
  const { by, timeoutSeconds } = machine.record.spec.stop
  if (by === 'acpi') return await pressButton(parts, machine)
  const answer = askAgent(parts, machine)
  const soon = await Promise.race([answer, delay(AT_ONCE_MS, 'waiting', { ref: false })])
  if (soon === 'refused') return await pressButton(parts, machine)
  const graceMs = Math.min(AGENT_GRACE_MS, (timeoutSeconds * 1000) / 3)
  if (soon === 'waiting')
    void pressButtonLater(parts, machine, answer, graceMs).catch((error: unknown) => {
      parts.settings.log(`${machine.record.serverId} could not be asked to shut down: ${error}`)
    })
}

/** Presses the power button if the same run is still active after that time. */
async function pressButtonLater(
  parts: Parts,
  machine: Domain,
  answer: Promise<'off' | 'refused'>,
  graceMs: number,
): Promise<void> {
  const outcome = await Promise.race([answer, delay(graceMs, 'waiting', { ref: false })])
  if (outcome === 'off') return
  const now = await parts.domains.byUuid(machine.uuid)
  if (!now?.active) return
  // It was restarted meanwhile; the new run should keep running.
  if (now.record.startedAt?.getTime() !== machine.record.startedAt?.getTime()) return
  await pressButton(parts, machine)
}

/**
 * libvirt answers only once the guest is off, because the agent does not acknowledge the request.
 */
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
