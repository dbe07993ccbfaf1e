import type { POWER_TASKS } from '@lodge/shared/schedules.ts'
import type { DesiredState } from './desired-state.ts'
import type { Memory } from './memory.ts'

export type PowerTask = (typeof POWER_TASKS)[number]

/** Notes what a schedule makes of the power while the node is alone. */
export function changeOwnPower(memory: Memory, generation: number, action: PowerTask): void {
  const power = action === 'stop' || action === 'kill' ? 'off' : 'on'
  memory.ownPower = { generation, power, ending: action === 'kill' ? 'kill' : 'graceful' }
  if (power === 'on') memory.ownRuns += 1
}

/**
 * The control plane desires something newer, which replaces what schedules did. A restart of theirs
 * that was not begun goes on unless the server is to be off now, or is started anyway.
 */
export function replaceOwnPower(
  memory: Memory,
  before: DesiredState | null,
  desired: DesiredState | null,
): void {
  memory.ownPower = null
  if (desired?.power === 'on' && desired.run === before?.run) return
  memory.ownRunsBegun = memory.ownRuns
}
