import { createHash } from 'node:crypto'
import type { Rollback } from '../board/tables.ts'
import { Parked } from '../dispatch/parking.ts'
import { type AnyStep, Permanent, type StepTools } from './saga.ts'

/**
 * What survives a crash: which steps are done, what they made, and whether the saga is rolling
 * back.
 */
export interface Journal {
  made(step: string): Promise<Record<string, unknown> | undefined>
  record(step: string, made: Record<string, unknown>): Promise<void>
  /** How far an earlier run has rolled back; undefined while the saga goes forward. */
  rollback(): Promise<Rollback | undefined>
  /** Decides irrevocably that the saga rolls back. */
  beginRollback(rollback: Rollback): Promise<void>
  /** Forgets an undone step and moves on to the one before it, in one transaction. */
  undone(step: string, rollback: Rollback): Promise<void>
}

/** The undo of a step failed; it is retried later, as an undo. */
export class UndoFailed extends Error {
  readonly step: string
  constructor(step: string, cause: unknown) {
    super(`the step ${step} could not be undone`, { cause })
    this.name = 'UndoFailed'
    this.step = step
  }
}

/** The same for every attempt at a step of a job (a name-based UUID in our own scheme). */
export function stepKey(jobId: string, step: string): string {
  const hex = createHash('sha256').update(`${jobId}\n${step}`).digest('hex')
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`
}

/**
 * Runs a saga from where its journal ends.
 *
 *     forward ── step by step ──> done
 *        │ Permanent, journaled before the first undo
 *        v
 *     rolling back ── newest first, including the failed step ──> rethrown as Permanent
 *
 * A rollback never turns back into forward: a run that finds one in the journal continues it,
 * whatever happened to the previous run. Any other failure leaves the journal as it is, so a later
 * run continues at the same step in the same direction.
 * @throws {Permanent} once everything is undone
 * @throws {UndoFailed} if an undo must be retried
 */
export async function runSaga(
  steps: readonly AnyStep[],
  input: object,
  journal: Journal,
  toolsFor: (step: string, undoing: boolean) => StepTools,
): Promise<Record<string, unknown>> {
  const rollback = await journal.rollback()
  if (rollback) return takeBack(rollback)
  const state: Record<string, unknown> = { ...input }
  for (const one of steps) {
    try {
      const earlier = await journal.made(one.name)
      const made = earlier ?? { ...(await one.step.do(state as never, toolsFor(one.name, false))) }
      if (!earlier) await journal.record(one.name, made)
      Object.assign(state, made)
    } catch (failure) {
      if (!(failure instanceof Permanent)) throw failure
      const { code, message } = failure
      const begun = { code, detail: message, failedStep: one.name, next: one.name }
      await journal.beginRollback(begun)
      return takeBack(begun)
    }
  }
  return state

  async function takeBack(begun: Rollback): Promise<never> {
    const until = steps.findIndex((one) => one.name === begun.next)
    const tried = steps.slice(0, until + 1)
    // An undo receives its step's input and, as far as known, its results.
    const states: Record<string, unknown>[] = []
    let known: Record<string, unknown> = { ...input }
    for (const one of tried) {
      known = { ...known, ...(await journal.made(one.name)) }
      states.push(known)
    }
    for (let at = until; at >= 0; at--) {
      const one = tried[at] as AnyStep
      try {
        await one.step.undo?.(states[at] as never, toolsFor(one.name, true))
      } catch (failure) {
        if (failure instanceof Parked) throw failure
        throw new UndoFailed(one.name, failure)
      }
      await journal.undone(one.name, { ...begun, next: tried[at - 1]?.name ?? null })
    }
    throw new Permanent(begun.code, begun.detail)
  }
}
