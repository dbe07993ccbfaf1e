import type { CrashPolicy, CrashState, ExitInfo, ServerEvent } from '@lodge/shared/servers.ts'
import type { Tone } from '@lodge/shared/theme/tokens.ts'
import { entryOf } from '../../../../ui/data/known.ts'
import { duration as durationWords } from '../../../../ui/data/time-words.ts'
import { t } from './words.ts'

/** A crash policy in plain sentences. */
export function policySentence(policy: CrashPolicy): string {
  const { mode, maxRestarts: times, windowMinutes: minutes, backoffSeconds } = policy
  if (mode === 'never') return t.policyNever
  if (times === 0) return t.policyNone({ mode })
  const last = backoffSeconds.at(-1) ?? 0
  const others = backoffSeconds.slice(0, -1).join(', ')
  return t.policy({ mode, times, minutes, waits: others === '' ? 'one' : 'more', others, last })
}

type Guard = Pick<CrashPolicy, 'maxRestarts'> & Pick<CrashState, 'attemptsInWindow'>

/** The pending restart: `Restarts in 12 s (attempt 2 of 3)`; without the attempt while unknown. */
export function restartWords(secondsLeft: number, guard: Guard | undefined): string {
  const seconds = Math.ceil(secondsLeft)
  const now = seconds > 0 ? 'no' : 'yes'
  const duration = durationWords(seconds * 1_000)
  if (guard === undefined) return t.restarts({ now, duration })
  const attempt = guard.attemptsInWindow + 1
  const most = guard.maxRestarts
  // A stricter policy applies from the next crash on.
  if (attempt > most) return t.restartsAttempt({ now, duration, attempt })
  return t.restartsAttemptOf({ now, duration, attempt, most })
}

/** How many restarts of the policy are used; null without any. */
export function usedWords({ attemptsInWindow: used, maxRestarts: most }: Guard): string | null {
  return used === 0 || used > most ? null : t.restartsUsed({ used, most })
}

const WORDS: Readonly<Record<ServerEvent['kind'], readonly [Tone, () => string]>> = {
  installed: ['ok', () => t.installed],
  install_failed: ['err', () => t.installFailed],
  started: ['ok', () => t.started],
  start_failed: ['err', () => t.startFailed],
  stopped: ['idle', () => t.stopped],
  killed: ['warn', () => t.killed],
  crashed: ['err', () => t.crashed],
  ended: ['idle', () => t.ended],
  restarted: ['info', () => t.restarted],
  gave_up: ['err', () => t.gaveUp],
  out_of_memory: ['err', () => t.outOfMemory],
  disk_full: ['err', () => t.diskFull],
  adopted: ['info', () => t.adopted],
  removed_outside: ['warn', () => t.removedOutside],
  rebooted: ['info', () => t.rebooted],
}

const eventLook = ({ kind }: ServerEvent) =>
  entryOf(WORDS, kind, (word) => ['idle', () => word] as const)

export const eventTone = (event: ServerEvent): Tone => eventLook(event)[0]
export const eventWord = (event: ServerEvent): string => eventLook(event)[1]()

/** What ended a machine, as a short phrase and as a sentence. */
const CAUSES: Readonly<
  Record<NonNullable<ExitInfo['cause']>, readonly [phrase: () => string, sentence: () => string]>
> = {
  shutdown: [() => t.shutdown, () => t.whyShutdown],
  panic: [() => t.panic, () => t.whyPanic],
  watchdog: [() => t.watchdog, () => t.whyWatchdog],
  lost: [() => t.lost, () => t.whyLost],
  ended: [() => t.poweredOff, () => t.whyPoweredOff],
}

/** How it ended: `Exit code 137 (SIGKILL)`, or the cause for a machine; empty when unknown. */
export function exitWords(exit: ExitInfo | null): string {
  if (!exit) return ''
  const { cause, code, signal } = exit
  if (cause) return entryOf(CAUSES, cause, (word) => [() => word, () => ''])[0]()
  if (exit.outOfMemory) return t.outOfMemory
  if (code === null) return signal === null ? '' : t.exitSignal({ signal })
  return signal === null ? t.exitCode({ code }) : t.exitCodeAndSignal({ code, signal })
}

/** Why it is not running, as a sentence; null when the exit does not explain it. */
export function whyItEnded(exit: ExitInfo | null): string | null {
  if (exit?.outOfMemory) return t.whyOutOfMemory
  const cause = exit?.cause ? CAUSES[exit.cause] : undefined
  return cause?.[1]() ?? null
}
