import { createHash } from 'node:crypto'
import type { AnyStep, Saga } from './saga.ts'
import { Permanent, type StepTools } from './saga.ts'

/** What survives a crash: which steps are done and what they made. */
export interface Journal {
  made(step: string): Promise<Record<string, unknown> | undefined>
  record(step: string, made: Record<string, unknown>): Promise<void>
  forget(step: string): Promise<void>
}

/** The same for every attempt at the same step of the same job (a name-based UUID of our own making). */
export function stepKey(jobId: string, step: string): string {
  const hex = createHash('sha256').update(`${jobId}\n${step}`).digest('hex')
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`
}

/**
 * Runs a saga from where its journal ends. A `Permanent` failure takes every step back, newest first
 * and the failed one included, and is thrown on; any other failure leaves the journal as it is, so
 * that a later run goes on at the same step.
 */
export async function runSaga(
  steps: readonly AnyStep[],
  input: object,
  journal: Journal,
  toolsFor: (step: string) => StepTools,
): Promise<Record<string, unknown>> {
  const state: Record<string, unknown> = { ...input }
  const tried: AnyStep[] = []
  try {
    for (const one of steps) {
      tried.unshift(one)
      const earlier = await journal.made(one.name)
      const made = earlier ?? { ...(await one.step.do(state as never, toolsFor(one.name))) }
      if (!earlier) await journal.record(one.name, made)
      Object.assign(state, made)
    }
    return state
  } catch (failure) {
    if (!(failure instanceof Permanent)) throw failure
    for (const one of tried) {
      await one.step.undo?.(state as never, toolsFor(one.name))
      await journal.forget(one.name)
    }
    throw failure
  }
}

export type AnySaga = Saga<never, never>
