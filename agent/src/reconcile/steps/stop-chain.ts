import { type Driver, DriverError } from '@lodge/driver/driver.ts'
import type { StopStep } from '@lodge/shared/container-spec.ts'
import { consoleOf } from '../../console/driver-console.ts'

/** Used for a server whose template is unknown. */
export const DEFAULT_STOP: readonly StopStep[] = [
  { kind: 'signal', signal: 'SIGTERM', timeoutSeconds: 30 },
]

/** Pause between attempts while the runtime is unavailable. */
const AWAY_PAUSE_MS = 500

export interface StopChainOptions {
  readonly driver: Pick<Driver, 'signal' | 'console'>
  readonly serverId: string
  readonly steps: readonly StopStep[]
  /** Waits for the workload to exit; false when the time is up or the signal aborts first. */
  readonly ended: (timeoutMs: number, signal: AbortSignal) => Promise<boolean>
  /** Aborts to skip the remaining steps: only the kill remains. */
  readonly hurry: AbortSignal
}

/**
 * Asks a workload to stop, step by step.
 * @returns false when it still runs and has to be killed
 */
export async function runStopChain(options: StopChainOptions): Promise<boolean> {
  for (const step of options.steps) {
    if (options.hurry.aborted) return false
    if (await take(step, options)) return true
  }
  return false
}

/**
 * Runs one step. A step that is refused yields to the next at once; an unavailable runtime has not
 * refused, so the step retries until its time is up.
 */
async function take(step: StopStep, options: StopChainOptions): Promise<boolean> {
  const { driver, serverId, ended, hurry } = options
  for (let leftMs = step.timeoutSeconds * 1000; ; leftMs -= AWAY_PAUSE_MS) {
    const answer = await ask(driver, serverId, step).then(() => 'asked' as const, outcome)
    if (answer === 'asked') return ended(leftMs, hurry)
    if (answer === 'refused') return ended(0, hurry)
    if (await ended(Math.min(AWAY_PAUSE_MS, leftMs), hurry)) return true
    if (hurry.aborted || leftMs <= AWAY_PAUSE_MS) return false
  }
}

function outcome(error: unknown): 'away' | 'refused' {
  const away = error instanceof DriverError && error.code === 'runtime_unavailable'
  return away ? 'away' : 'refused'
}

function ask(driver: StopChainOptions['driver'], serverId: string, step: StopStep): Promise<void> {
  return step.kind === 'signal'
    ? driver.signal(serverId, step.signal)
    : consoleOf(driver).write(serverId, Buffer.from(`${step.text}\n`))
}
