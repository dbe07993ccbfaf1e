import type { DesiredState } from './desired-state.ts'
import type { Memory } from './memory.ts'

/** What the runtime reports. */
export interface Facts {
  readonly exists: boolean
  readonly running: boolean
  /** It was started in the current phase and has exited since. */
  readonly ended: boolean
}

/** One step towards the desired state. */
export type Act =
  | { readonly kind: 'remove' }
  | { readonly kind: 'end'; readonly how: 'graceful' | 'kill'; readonly why: EndCause }
  | { readonly kind: 'install' }
  | { readonly kind: 'start'; readonly cause: StartCause }
  | { readonly kind: 'apply' }
  /** The workload has exited, and the consequence is still to be decided. */
  | { readonly kind: 'judge_end' }
  /** The server matches the desired state, or nothing can be done about it. */
  | { readonly kind: 'rest' }
  /** Do nothing before this time. */
  | { readonly kind: 'wait'; readonly untilMs: number }
  /** Do nothing until the control plane has confirmed the desired state. */
  | { readonly kind: 'await_confirmation' }
  /** Do nothing until the node has a lease again. */
  | { readonly kind: 'await_lease' }

export type EndCause = 'power_off' | 'newer_run' | 'install' | 'unwished' | 'lease_over'
export type StartCause = 'asked' | 'crash_restart' | 'resume'

export interface Situation {
  /** Null when the control plane has no desired state for it. */
  readonly desired: DesiredState | null
  /** The control plane has sent its full list, and this server is not on it. */
  readonly disowned: boolean
  readonly memory: Pick<
    Memory,
    | 'phase'
    | 'run'
    | 'installed'
    | 'installFailed'
    | 'restartAtMs'
    | 'appliedSpec'
    | 'gone'
    | 'ownRunsBegun'
  >
  readonly facts: Facts
  /**
   * False after a reboot until the control plane resends the desired state, which may have changed
   * meanwhile.
   */
  readonly mayStart: boolean
  /** It may run only under the lease of its node, and there is none. */
  readonly leaseOver: boolean
  /** What runs of it is guarded: the control plane counts on its end with the lease. */
  readonly isGuarded: boolean
  /** Earliest time of the next attempt, after the last one failed for a transient reason. */
  readonly retryAtMs: number | null
  readonly nowMs: number
}

/**
 * The next step for one server: a pure function of the desired state, the agent's memory, the facts
 * and the time. It is called again after each step and each event, so a crash between two steps
 * loses nothing.
 */
export function decide(situation: Situation): Act {
  const { desired, memory, facts, disowned, leaseOver, isGuarded, retryAtMs, nowMs } = situation
  if (leaseOver && isGuarded && facts.running)
    return { kind: 'end', how: 'kill', why: 'lease_over' }
  if (desired === null) {
    return facts.running && disowned
      ? { kind: 'end', how: 'graceful', why: 'unwished' }
      : { kind: 'rest' }
  }
  if (desired.removed) {
    if (memory.gone) return { kind: 'rest' }
    return waiting(retryAtMs, nowMs) ?? { kind: 'remove' }
  }
  if (desired.power === 'off' && facts.running) {
    return { kind: 'end', how: desired.ending, why: 'power_off' }
  }
  if (desired.spec === null) return { kind: 'rest' }
  if (desired.install > memory.installed && desired.install > memory.installFailed) {
    if (facts.running) return { kind: 'end', how: desired.ending, why: 'install' }
    return waiting(retryAtMs, nowMs) ?? { kind: 'install' }
  }
  if (desired.power === 'off') {
    // A machine gets new disks and media even while it is stopped.
    const installed = memory.installed >= desired.install
    return desired.kind === 'machine' && installed && desired.specHash !== memory.appliedSpec
      ? (waiting(retryAtMs, nowMs) ?? { kind: 'apply' })
      : { kind: 'rest' }
  }
  return facts.running ? whileRunning(situation, desired) : whileStopped(situation, desired)
}

function whileRunning({ memory, retryAtMs, nowMs }: Situation, desired: DesiredState): Act {
  if (isAsked(memory, desired)) return { kind: 'end', how: desired.ending, why: 'newer_run' }
  if (desired.specHash !== memory.appliedSpec) return waiting(retryAtMs, nowMs) ?? { kind: 'apply' }
  return { kind: 'rest' }
}

function whileStopped(situation: Situation, desired: DesiredState): Act {
  const { memory, facts, mayStart, leaseOver, retryAtMs, nowMs } = situation
  if (memory.installFailed >= desired.install && memory.installFailed > memory.installed) {
    return { kind: 'rest' }
  }
  const asked = isAsked(memory, desired)
  const wasUp = memory.phase === 'running' || (memory.phase === 'starting' && facts.ended)
  if (!asked && wasUp) return { kind: 'judge_end' }
  const crashed = !asked && memory.phase === 'crashed'
  if (crashed && memory.restartAtMs === null) return { kind: 'rest' }
  if (!mayStart) return { kind: 'await_confirmation' }
  if (leaseOver) return { kind: 'await_lease' }
  if (crashed && memory.restartAtMs !== null && nowMs < memory.restartAtMs) {
    return { kind: 'wait', untilMs: memory.restartAtMs }
  }
  const cause = asked ? 'asked' : crashed ? 'crash_restart' : 'resume'
  return waiting(retryAtMs, nowMs) ?? { kind: 'start', cause }
}

/** A start or restart is wanted that was not begun. */
const isAsked = (memory: Situation['memory'], desired: DesiredState): boolean =>
  desired.run > memory.run || desired.ownRuns > memory.ownRunsBegun

function waiting(untilMs: number | null, nowMs: number): Act | undefined {
  return untilMs !== null && nowMs < untilMs ? { kind: 'wait', untilMs } : undefined
}

/** Work under way on a server. `remove` is never interrupted. */
export type Work = 'install' | 'start' | 'apply' | 'end' | 'remove' | 'judge_end'

/**
 * Whether a newer desired state makes the work under way pointless, and how urgently it must stop:
 * `kill` also kills the workload, `cancel` only stops the preparation.
 */
export function interruption(
  work: Work,
  begun: DesiredState | null,
  desired: DesiredState | null,
): 'kill' | 'cancel' | undefined {
  if (desired === null) return work === 'start' || work === 'apply' ? 'cancel' : undefined
  if (work === 'remove') return undefined
  if (desired.removed) return 'kill'
  if (begun && isSame(begun, desired)) return undefined
  if (desired.power === 'off' && desired.ending === 'kill')
    return work === 'judge_end' ? undefined : 'kill'
  if (work !== 'start') return undefined
  const outdated =
    desired.power === 'off' ||
    desired.install > (begun?.install ?? 0) ||
    desired.specHash !== begun?.specHash
  return outdated ? 'cancel' : undefined
}

/** Within a generation, only schedules of the node alone change anything. */
const isSame = (begun: DesiredState, desired: DesiredState): boolean =>
  begun.generation === desired.generation &&
  begun.power === desired.power &&
  begun.ending === desired.ending &&
  begun.ownRuns === desired.ownRuns
