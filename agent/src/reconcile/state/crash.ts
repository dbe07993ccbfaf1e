import type { Exit, ExitCause } from '@lodge/driver/driver.ts'
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
    return { kind: 'stay', exhausted: false, reason: `${how}; its policy is never to restart it` }
  }
  if (policy.mode === 'on-failure' && isCleanExit(exit)) {
    return {
      kind: 'stay',
      exhausted: false,
      reason: `${how}, which is no failure; it is restarted on failure only`,
    }
  }
  const recent = recentRestarts(policy, restartsMs, nowMs).length
  const window = `within ${policy.windowMinutes} ${policy.windowMinutes === 1 ? 'minute' : 'minutes'}`
  if (recent >= policy.maxRestarts) {
    const times = recent === 1 ? 'once' : `${recent} times`
    return {
      kind: 'stay',
      exhausted: true,
      reason:
        policy.maxRestarts === 0
          ? `${how}; its policy allows no restart`
          : `${how}; it was already restarted ${times} ${window}, so it stays stopped`,
    }
  }
  const waitSeconds = policy.backoffSeconds[recent] ?? policy.backoffSeconds.at(-1) ?? 0
  return {
    kind: 'restart',
    waitSeconds,
    attempt: recent + 1,
    of: policy.maxRestarts,
    reason: `${how}; restart ${recent + 1} of ${policy.maxRestarts} ${window} in ${waitSeconds} s`,
  }
}

/** The restarts that still count. One in the future, after the clock was set back, counts too. */
export function recentRestarts(
  policy: CrashPolicy,
  restartsMs: readonly number[],
  nowMs: number,
): number[] {
  return restartsMs.filter((atMs) => nowMs - atMs < policy.windowMinutes * 60_000)
}

const CAUSES: Readonly<Record<ExitCause, string>> = {
  shutdown: 'The server was shut down by its own system',
  panic: "The server's system crashed (kernel panic)",
  watchdog: "The server's system hung and its watchdog ended it",
  lost: 'The server ended because the process that carried it died',
  ended: 'The server was powered off',
}

/** Describes how a workload ended, as the start of a sentence. */
export function exitInWords(exit: Exit): string {
  if (exit.cause) return CAUSES[exit.cause]
  if (exit.outOfMemory) return 'The server ran out of memory'
  if (exit.signal !== null) return `The server was killed by ${exit.signal}`
  if (exit.code !== null) return `The server ended with exit code ${exit.code}`
  return 'The server ended'
}
