import type { Exit } from '@lodge/driver/driver.ts'
import { CRASH_WORDS, EXIT_WORDS, filledIn } from '@lodge/shared/end-words.ts'
import { isCleanExit } from '@lodge/shared/server-status.ts'
import type { CrashPolicy } from '@lodge/shared/servers.ts'

export type CrashDecision =
  | {
      readonly kind: 'restart'
      readonly waitSeconds: number
      readonly attempt: number
      readonly of: number
      readonly reason: string
    }
  /** `exhausted`: the policy would restart it, but the restarts are used up. */
  | { readonly kind: 'stay'; readonly exhausted: boolean; readonly reason: string }

/**
 * Decides what to do after a workload exits while it should be running.
 * @param restartsMs restarts by the crash policy (ms since 1970) since the last start by a person
 */
export function decideCrash(
  policy: CrashPolicy,
  restartsMs: readonly number[],
  exit: Exit,
  nowMs: number,
): CrashDecision {
  const how = exitInWords(exit)
  if (policy.mode === 'never') {
    return { kind: 'stay', exhausted: false, reason: filledIn(CRASH_WORDS.never, { how }) }
  }
  if (policy.mode === 'on-failure' && isCleanExit(exit)) {
    return {
      kind: 'stay',
      exhausted: false,
      reason: filledIn(CRASH_WORDS.clean, { how }),
    }
  }
  const recent = recentRestarts(policy, restartsMs, nowMs).length
  const minutes = policy.windowMinutes
  const inMinute = minutes === 1
  if (recent >= policy.maxRestarts) {
    return {
      kind: 'stay',
      exhausted: true,
      reason: filledIn(exhaustedWords(policy.maxRestarts, recent, inMinute), {
        ...{ how, minutes },
        times: recent,
      }),
    }
  }
  const waitSeconds = policy.backoffSeconds[recent] ?? policy.backoffSeconds.at(-1) ?? 0
  return {
    kind: 'restart',
    waitSeconds,
    attempt: recent + 1,
    of: policy.maxRestarts,
    reason: filledIn(inMinute ? CRASH_WORDS.againInMinute : CRASH_WORDS.againInMinutes, {
      ...{ how, minutes },
      attempt: recent + 1,
      most: policy.maxRestarts,
      wait: waitSeconds,
    }),
  }
}

function exhaustedWords(most: number, recent: number, inMinute: boolean): string {
  if (most === 0) return CRASH_WORDS.none
  if (recent === 1) return inMinute ? CRASH_WORDS.onceInMinute : CRASH_WORDS.onceInMinutes
  return inMinute ? CRASH_WORDS.oftenInMinute : CRASH_WORDS.oftenInMinutes
}

/** The restarts that still count. One in the future, after the clock was set back, counts too. */
export function recentRestarts(
  policy: CrashPolicy,
  restartsMs: readonly number[],
  nowMs: number,
): number[] {
  return restartsMs.filter((atMs) => nowMs - atMs < policy.windowMinutes * 60_000)
}

/** Describes how a workload ended, as the start of a sentence. */
export function exitInWords(exit: Exit): string {
  if (exit.cause) return EXIT_WORDS[exit.cause]
  if (exit.outOfMemory) return EXIT_WORDS.outOfMemory
  if (exit.signal !== null) return filledIn(EXIT_WORDS.signal, { signal: exit.signal })
  if (exit.code !== null) return filledIn(EXIT_WORDS.code, { code: exit.code })
  return EXIT_WORDS.unknown
}
