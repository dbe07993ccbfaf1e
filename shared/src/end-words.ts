/** How a workload ended, as the start of a sentence. */
export const EXIT_WORDS = {
  shutdown: 'The server was shut down by its own system',
  panic: "The server's system crashed (kernel panic)",
  watchdog: "The server's system hung and its watchdog ended it",
  lost: 'The server ended because the process that carried it died',
  ended: 'The server was powered off',
  outOfMemory: 'The server ran out of memory',
  signal: 'The server was killed by {signal}',
  code: 'The server ended with exit code {code}',
  unknown: 'The server ended',
} as const

/** What follows after a workload ended by itself. */
export const CRASH_WORDS = {
  never: '{how}; its policy is never to restart it',
  clean: '{how}, which is no failure; it is restarted on failure only',
  none: '{how}; its policy allows no restart',
  onceInMinute: '{how}; it was already restarted once within 1 minute, so it stays stopped',
  onceInMinutes:
    '{how}; it was already restarted once within {minutes} minutes, so it stays stopped',
  oftenInMinute:
    '{how}; it was already restarted {times} times within 1 minute, so it stays stopped',
  oftenInMinutes:
    '{how}; it was already restarted {times} times within {minutes} minutes, so it stays stopped',
  againInMinute: '{how}; restart {attempt} of {most} within 1 minute in {wait} s',
  againInMinutes: '{how}; restart {attempt} of {most} within {minutes} minutes in {wait} s',
} as const

/** Why a workload was ended, as the start of a sentence. */
export const STOP_WORDS = {
  power_off: 'Stopped on request',
  newer_run: 'Stopped to be started again',
  install: 'Stopped for an installation',
  lease_over: 'Ended with the lease of the node, because the server may run elsewhere by now',
  unwished: 'Stopped because the control plane does not know it on this node; its data is kept',
} as const

/** The same of one that did not end when it was asked. */
export const LATE_STOP =
  '{why}, but it did not end within {seconds} s of being asked and was killed'

/** Puts values into one of these texts. */
export const filledIn = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
