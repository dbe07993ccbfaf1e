import type { Driver } from '@lodge/driver/driver.ts'
import type { StopStep } from '@lodge/shared/container-spec.ts'

/** What is done with a server whose template is unknown. */
export const DEFAULT_STOP: readonly StopStep[] = [
  { kind: 'signal', signal: 'SIGTERM', timeoutSeconds: 30 },
]

export interface StopChainOptions {
  readonly driver: Pick<Driver, 'signal' | 'console'>
  readonly serverId: string
  readonly steps: readonly StopStep[]
  /** Waits for the end of the workload; false when the time is over or the signal aborts first. */
  readonly ended: (timeoutMs: number, signal: AbortSignal) => Promise<boolean>
  /** Aborts when there is no more patience: only the kill remains. */
  readonly hurry: AbortSignal
}

/**
 * Asks a workload to end, step after step.
 * @returns false when it still runs and only killing it remains
 */
export async function runStopChain(options: StopChainOptions): Promise<boolean> {
  const { driver, serverId, steps, ended, hurry } = options
  for (const step of steps) {
    if (hurry.aborted) return false
    // A step that cannot be done leaves its turn to the next one at once.
    const asked = await ask(driver, serverId, step).then(
      () => true,
      () => false,
    )
    if (await ended(asked ? step.timeoutSeconds * 1000 : 0, hurry)) return true
  }
  return false
}

function ask(driver: StopChainOptions['driver'], serverId: string, step: StopStep): Promise<void> {
  return step.kind === 'signal'
    ? driver.signal(serverId, step.signal)
    : driver.console.write(serverId, Buffer.from(`${step.text}\n`))
}
