import type { PowerTask } from '../reconcile/state/own-power.ts'
import type { ReconciledServer } from '../reconcile/state/reconciled-server.ts'

export interface Outcome {
  readonly state: 'done' | 'failed' | 'skipped'
  readonly detail: string | null
}

export const failed = (detail: string): Outcome => ({ state: 'failed', detail })
export const DONE: Outcome = { state: 'done', detail: null }

/**
 * What became of a change of the power; undefined while it is under way.
 * @param ownRuns the start or restart that was asked for
 */
export function powerOutcome(
  { desired, memory, facts, work, retryAtMs }: ReconciledServer,
  power: PowerTask,
  ownRuns: number,
): Outcome | undefined {
  const wanted = power === 'stop' || power === 'kill' ? 'off' : 'on'
  if (!desired || desired.removed || desired.power !== wanted)
    return failed('A later action took its place')
  const isResting = work === null && retryAtMs === null
  if (wanted === 'off') return isResting && !facts.running ? DONE : undefined
  if (memory.ownRunsBegun < ownRuns) return isResting ? whyNotBegun(memory.failure) : undefined
  if (facts.running && memory.phase === 'running' && work === null) return DONE
  const isDown = isResting && !facts.running && memory.phase === 'crashed'
  if (isDown && memory.restartAtMs === null)
    return failed(memory.failure?.detail ?? 'It ended before it was up')
  return undefined
}

const whyNotBegun = (failure: ReconciledServer['memory']['failure']): Outcome | undefined =>
  failure ? failed(failure.detail) : undefined
