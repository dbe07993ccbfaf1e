import { createHash } from 'node:crypto'
import { Parked } from './parking.ts'
import { type AnyStep, Permanent, type StepTools } from './saga.ts'
import type { Rollback } from './tables.ts'

/** What survives a crash: which steps are done, what they made, and whether the saga goes back. */
export interface Journal {
  made(step: string): Promise<Record<string, unknown> | undefined>
  record(step: string, made: Record<string, unknown>): Promise<void>
  /** How far an earlier run has rolled back; undefined while the saga goes forward. */
  rollback(): Promise<Rollback | undefined>
  /** Decides, for good, that the saga goes back. */
  beginRollback(rollback: Rollback): Promise<void>
  /** Forgets a step that is undone and moves on to the one before it, in one transaction. */
  undone(step: string, rollback: Rollback): Promise<void>
}

/** The undo of a step failed: it is tried again later, as an undo. */
export class UndoFailed extends Error {
  readonly step: string
  constructor(step: string, cause: unknown) {
    super(`the step ${step} could not be undone`, { cause })
    this.name = 'UndoFailed'
    this.step = step
  }
}

/** The same for every attempt at the same step of the same job (a name-based UUID of our own making). */
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
 *     rolling back ── newest first, the failed step included ──> thrown on as Permanent
 *
 * There is no way from the second line to the first: a run that finds a rollback in the journal goes on
 * with it, whatever happened to the one before. Any other failure leaves the journal as it is, so that
 * a later run goes on at the same step in the same direction.
 * @throws {Permanent} once everything is taken back
 * @throws {UndoFailed} when an undo has to be tried again
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
    // An undo is given what its step was given and, as far as that is known, what it made.
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
