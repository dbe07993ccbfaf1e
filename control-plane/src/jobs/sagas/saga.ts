import type { z } from 'zod'
import type { System } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import type { JobRow } from '../board/tables.ts'
import type { Fact } from '../dispatch/parking.ts'

/**
 * What a step receives. `key` is the same on every attempt, so anything named after it is created
 * once.
 */
export interface StepTools {
  readonly ctx: Ctx<System>
  readonly job: JobRow
  readonly key: string
  /**
   * Aborted when the process stops and, on the way forward, when a person cancels the job; the
   * reason is then a `Permanent`. A cancel does not interrupt an undo.
   */
  readonly signal: AbortSignal
  /** In an undo: why the saga rolls back. */
  readonly failure: { readonly code: string; readonly detail: string } | undefined
  progress(percent: number | null, detail: string): Promise<void>
  /**
   * Waits in this process for something that happens elsewhere, such as a node's task, and frees
   * the worker's place meanwhile.
   */
  elsewhere<T>(work: () => Promise<T>): Promise<T>
  /**
   * Returns once `happened` is true. Until then the saga is parked: no worker holds it, the step
   * restarts when it is woken, and the step's memory is lost.
   * @throws {WaitExpired} when the deadline passes first
   */
  waitUntil(fact: Fact, happened: () => Promise<boolean>): Promise<void>
}

interface Step<State, Made> {
  /** Must be safe to repeat: after a crash the interrupted step runs again. */
  do(state: State, tools: StepTools): Promise<Made>
  /**
   * Undoes what `do` made or began; newest first, including the failed step. Must be safe to repeat
   * too: a failed undo is retried with growing pauses until it succeeds.
   */
  undo?(state: State & Partial<Made>, tools: StepTools): Promise<void>
}

// State types are erased here; only `step` composes steps, and it checks each.
export interface AnyStep {
  readonly name: string
  readonly step: Step<never, object | void>
}

/** Named work in steps, each with its undo. */
export class Saga<Input, State = Input> {
  readonly name: string
  readonly input: z.ZodType<Input>
  readonly steps: readonly AnyStep[]

  constructor(name: string, input: z.ZodType<Input>, steps: readonly AnyStep[] = []) {
    this.name = name
    this.input = input
    this.steps = steps
  }

  step<Made extends object | void>(
    name: string,
    step: Step<State, Made>,
  ): Saga<Input, State & (Made extends object ? Made : unknown)> {
    return new Saga(this.name, this.input, [...this.steps, { name, step: step as AnyStep['step'] }])
  }
}

export const saga = <Input>(name: string, input: z.ZodType<Input>): Saga<Input> =>
  new Saga(name, input)

/** Thrown by a step when a retry cannot help: the saga rolls back. */
export class Permanent extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.name = 'Permanent'
    this.code = code
  }
}
