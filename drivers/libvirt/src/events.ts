import type { DriverEvent, Exit } from '@lodge/driver/driver.ts'
import type { ExitRecord } from './domain/record.ts'
import { exitOf } from './domain/state.ts'
import type { Parts } from './parts.ts'
import type { DomainEvent } from './port/messages.ts'
import type { PortEvent } from './port/port.ts'

/** Values of `virDomainEventType`, and of the details of a stop. */
const LIFECYCLE = { undefined: 1, started: 2, stopped: 5, crashed: 8 } as const
const STOPPED = { shutdown: 0, destroyed: 1, crashed: 2, saved: 4 } as const
/** libvirt reports a single reboot of a guest several times. */
const SAME_REBOOT_MS = 3000
const WAITING_EVENTS = 10_000

/** Yields events of this scope's machines from now on until aborted. */
export async function* machineEvents(
  parts: Parts,
  signal: AbortSignal,
): AsyncGenerator<DriverEvent> {
  const waiting: PortEvent[] = []
  let wake: (() => void) | null = null
  const push = (event: PortEvent) => {
    // The consumer has stalled. Drop the backlog and emit a reset: `recover` finds what was missed,
    // as after a lost connection.
    if (waiting.length >= WAITING_EVENTS) waiting.splice(0, waiting.length, { kind: 'deaf' })
    waiting.push(event)
    wake?.()
  }
  const stop = parts.port.listen(push)
  const abort = () => wake?.()
  signal.addEventListener('abort', abort, { once: true })
  const meaning = interpreter(parts)
  // The caller runs `recover` at the same time. If libvirt is not reporting events yet, changes
  // between the two would be missed, so this begins as lost.
  let lost = !parts.port.isListening()
  try {
    while (!signal.aborted) {
      const event = waiting.shift()
      if (!event) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        wake = null
      } else if (event.kind === 'deaf') {
        lost = true
      } else if (event.kind === 'listening') {
        if (lost) yield { kind: 'reset' }
        lost = false
      } else {
        const described = await meaning(event).catch((error: unknown) => {
          parts.settings.log(`Could not process an event of libvirt: ${error}`)
          return null
        })
        if (described) yield described
      }
    }
  } finally {
    stop()
    signal.removeEventListener('abort', abort)
  }
}

function interpreter(parts: Parts): (event: DomainEvent) => Promise<DriverEvent | null> {
  const { domains, endings } = parts
  /** What the guest's system reported just before its machine stopped. */
  const warnings = new Map<string, 'panic' | 'watchdog'>()
  const rebooted = new Map<string, number>()

  async function serverOf(uuid: string): Promise<string | undefined> {
    return domains.serverOf(uuid) ?? (await domains.byUuid(uuid))?.record.serverId
  }

  function causeOf(uuid: string, detail: number): ExitRecord['cause'] {
    const warning = warnings.get(uuid)
    warnings.delete(uuid)
    const ours = endings.take(uuid)
    if (detail === STOPPED.destroyed) return ours ? 'ended' : 'lost'
    if (warning) return warning
    if (detail === STOPPED.shutdown) return 'shutdown'
    return detail === STOPPED.crashed ? 'panic' : 'lost'
  }

  return async (event) => {
    const serverId = await serverOf(event.uuid)
    if (serverId === undefined) return null
    const at = new Date(event.atMs)
    if (event.kind === 'watchdog') warnings.set(event.uuid, 'watchdog')
    if (event.kind === 'reboot') {
      const before = rebooted.get(event.uuid) ?? 0
      if (event.atMs - before < SAME_REBOOT_MS) return null
      rebooted.set(event.uuid, event.atMs)
      return { kind: 'rebooted', serverId, at }
    }
    if (event.kind !== 'lifecycle') return null
    switch (event.event) {
      case LIFECYCLE.crashed:
        warnings.set(event.uuid, 'panic')
        return null
      case LIFECYCLE.started:
        warnings.delete(event.uuid)
        return { kind: 'started', serverId, at }
      case LIFECYCLE.undefined:
        return { kind: 'removed', serverId, at }
      case LIFECYCLE.stopped: {
        if (event.detail === STOPPED.saved) return null
        parts.consoles.detach(serverId)
        const exit = exitOf(causeOf(event.uuid, event.detail), at)
        const recorded = await recordExit(parts, event.uuid, exit)
        return recorded && { kind: 'exited', serverId, exit: recorded }
      }
      default:
        return null
    }
  }
}

/**
 * Records how a machine ended, unless that is already recorded; returns what is recorded, so that
 * every observer reports the same exit. Null where the guest never ran, or has been started anew
 * since.
 */
export async function recordExit(
  parts: Parts,
  uuid: string,
  exit: ExitRecord,
): Promise<Exit | null> {
  const found = await parts.domains.byUuid(uuid)
  if (!found) return asExit(exit)
  const { lastExit, startedAt, held } = found.record
  if (held && startedAt === null) return null
  const isUp = found.active || held
  if (isUp && startedAt && exit.at < startedAt) return null
  if (lastExit && startedAt && lastExit.at >= startedAt) return asExit(lastExit)
  await parts.domains.note(uuid, { ...found.record, lastExit: exit })
  return asExit(exit)
}

export function asExit({ code, signal, cause, at }: ExitRecord): Exit {
  return { code, signal, cause, at, outOfMemory: false }
}
