import type { ExitRecord } from './record.ts'

/** Values of `virDomainState`. */
const STATE = { running: 1, blocked: 2, paused: 3, shutdown: 4, suspended: 7 } as const
/** `virDomainPausedReason`: libvirt is starting it. */
const PAUSED_STARTING_UP = 11
/** `virDomainShutoffReason`. */
const SHUT_OFF = { shutdown: 1, destroyed: 2 } as const

/** Whether QEMU is running with a guest. */
export function isActive(state: number): boolean {
  const active: readonly number[] = Object.values(STATE)
  return active.includes(state)
}

/**
 * Whether a guest is paused because its start was interrupted. libvirt does not distinguish a
 * domain started paused from one that a user paused, so the record marks it until it is resumed.
 */
export function isHalfStarted(state: number, reason: number, held: boolean): boolean {
  return state === STATE.paused && (held || reason === PAUSED_STARTING_UP)
}

/** What is known about an exit that was not observed. */
export function exitOfReason(reason: number, at: Date): ExitRecord {
  if (reason === SHUT_OFF.shutdown) return exitOf('shutdown', at)
  if (reason === SHUT_OFF.destroyed) return exitOf('ended', at)
  return exitOf('lost', at)
}

export function exitOf(cause: ExitRecord['cause'], at: Date): ExitRecord {
  switch (cause) {
    case 'shutdown':
      return { code: 0, signal: null, cause, at }
    case 'panic':
    case 'watchdog':
      return { code: 1, signal: null, cause, at }
    case 'lost':
      return { code: null, signal: null, cause, at }
    case 'ended':
      return { code: null, signal: 'SIGKILL', cause, at }
  }
}
