import type { z } from 'zod'
import type { System } from '../actor.ts'
import type { Ctx } from '../context.ts'
import type { Fact } from './parking.ts'
import type { JobRow } from './tables.ts'

/** What a step is given. `key` is the same on every attempt, so whatever it names is created once. */
export interface StepTools {
  readonly ctx: Ctx<System>
  readonly job: JobRow
  readonly key: string
  /**
   * Aborted when the process ends and, on the way forward, when a person cancels the job: then the
   * reason is a `Permanent`. A cancel does not interrupt an undo.
   */
  readonly signal: AbortSignal
  /** In an undo: why the saga goes back. */
  readonly failure: { readonly code: string; readonly detail: string } | undefined
  progress(percent: number | null, detail: string): Promise<void>
  /**
   * Waits in this process for something that happens elsewhere, such as a node's task, and leaves the
   * worker's place to another job meanwhile.
   */
  elsewhere<T>(work: () => Promise<T>): Promise<T>
  /**
   * Returns once `happened` is true. Until then the saga is parked: no worker has it, the step begins
   * anew when the fact is told of, and nothing that the step keeps in memory outlives the call.
   * @throws {WaitExpired} when the deadline passes first
   */
  waitUntil(fact: Fact, happened: () => Promise<boolean>): Promise<void>
}

interface Step<State, Made> {
  /** Must be safe to repeat: after a crash the step that was under way runs again. */
  do(state: State, tools: StepTools): Promise<Made>
  /**
   * Takes back what `do` made or began to make; newest first, the failed step included. Must be safe to
   * repeat as well: one that fails is tried again, with longer and longer pauses, until it succeeds.
   */
  undo?(state: State & Partial<Made>, tools: StepTools): Promise<void>
}

// Steps are kept with their own state types erased: only `step` composes them, and it checks each.
export interface AnyStep {
  readonly name: string
  readonly step: Step<never, object | void>
}

/** A named piece of work in steps, each with its way back. */
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

/** Thrown by a step when trying again cannot help: everything done so far is taken back. */
export class Permanent extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.name = 'Permanent'
    this.code = code
  }
}
