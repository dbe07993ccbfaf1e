import type { CrashPolicy, CrashState, ExitInfo, ServerEvent } from '@lodge/shared/servers.ts'
import type { Tone } from '../../../../theme/tokens.ts'
import { duration } from '../../../../ui/data/time-words.ts'

/** A crash policy as one plain sentence. */
export function policySentence(policy: CrashPolicy): string {
  if (policy.mode === 'never') return 'It is never restarted automatically.'
  const when = policy.mode === 'always' ? 'whenever it exits' : 'after a crash'
  if (policy.maxRestarts === 0) return `It is not restarted ${when}.`
  const waits = policy.backoffSeconds.map(String)
  const last = waits.at(-1) ?? '0'
  const list = waits.length > 1 ? `${waits.slice(0, -1).join(', ')} and then ${last}` : last
  const times = policy.maxRestarts === 1 ? 'once' : `${policy.maxRestarts} times`
  const window = policy.windowMinutes === 1 ? '1 minute' : `${policy.windowMinutes} minutes`
  return `It is restarted ${when}, at most ${times} in ${window}, after waiting ${list} s. Then it stays stopped and the owner is notified.`
}

type Guard = Pick<CrashPolicy, 'maxRestarts'> & Pick<CrashState, 'attemptsInWindow'>

/** The pending restart: `Restarts in 12 s (attempt 2 of 3)`; without the attempt while unknown. */
export function restartWords(secondsLeft: number, guard: Guard | undefined): string {
  const seconds = Math.ceil(secondsLeft)
  const when = seconds > 0 ? `in ${duration(seconds * 1_000)}` : 'now'
  if (guard === undefined) return `Restarts ${when}`
  const attempt = guard.attemptsInWindow + 1
  // A stricter policy applies from the next crash on.
  const of = attempt > guard.maxRestarts ? '' : ` of ${guard.maxRestarts}`
  return `Restarts ${when} (attempt ${attempt}${of})`
}

/** How many restarts of the policy are used; null without any. */
export function usedWords({ attemptsInWindow: used, maxRestarts }: Guard): string | null {
  if (used === 0 || used > maxRestarts) return null
  return `${used} of ${maxRestarts} restarts used.`
}

const WORDS: Readonly<Record<ServerEvent['kind'], readonly [Tone, string]>> = {
  installed: ['ok', 'Installed'],
  install_failed: ['err', 'Installation failed'],
  started: ['ok', 'Started'],
  start_failed: ['err', 'Start failed'],
  stopped: ['idle', 'Stopped'],
  killed: ['warn', 'Killed'],
  crashed: ['err', 'Crashed'],
  ended: ['idle', 'Ended by itself'],
  restarted: ['info', 'Restarted by itself'],
  gave_up: ['err', 'Gave up'],
  out_of_memory: ['err', 'Out of memory'],
  disk_full: ['err', 'Disk full'],
  adopted: ['info', 'Found running'],
  removed_outside: ['warn', 'Removed outside of Lodge'],
  rebooted: ['info', 'Restarted by its own system'],
}

export const eventTone = (event: ServerEvent): Tone => WORDS[event.kind][0]
export const eventWord = (event: ServerEvent): string => WORDS[event.kind][1]

const CAUSES: Readonly<Record<NonNullable<ExitInfo['cause']>, string>> = {
  shutdown: 'Shut down by its own system',
  panic: 'Kernel panic',
  watchdog: 'Hung: ended by its watchdog',
  lost: 'Its process died',
  ended: 'Powered off by the node',
}

/** How it ended: `exit code 137 (SIGKILL)`, or the cause for a machine; empty when unknown. */
export function exitWords(exit: ExitInfo | null): string {
  if (!exit) return ''
  if (exit.cause) return CAUSES[exit.cause]
  if (exit.outOfMemory) return 'Out of memory'
  const code = exit.code === null ? '' : `exit code ${exit.code}`
  const signal = exit.signal === null ? '' : `${code === '' ? '' : ' '}(${exit.signal})`
  return `${code}${signal}`
}

const SENTENCES: Readonly<Record<NonNullable<ExitInfo['cause']>, string>> = {
  shutdown: 'It was shut down by its own system.',
  panic: 'Its system crashed: a kernel panic.',
  watchdog: 'Its system hung, so its watchdog ended it.',
  lost: 'The process that carried it died.',
  ended: 'It was powered off.',
}

/** Why it is not running, as a sentence; null when the exit does not explain it. */
export function whyItEnded(exit: ExitInfo | null): string | null {
  if (exit?.outOfMemory) return 'It ran out of memory.'
  return exit?.cause ? SENTENCES[exit.cause] : null
}
