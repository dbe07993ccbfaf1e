import type { z } from 'zod'
import type { Ctx, System } from '../context.ts'
import type { JobRow } from './tables.ts'

/** What a step is given. `key` is the same on every attempt, so whatever it names is created once. */
export interface StepTools {
  readonly ctx: Ctx<System>
  readonly job: JobRow
  readonly key: string
  /** Aborted when a person cancels the job, with a `Permanent` as the reason, or the process ends. */
  readonly signal: AbortSignal
  progress(percent: number | null, detail: string): Promise<void>
}

interface Step<State, Made> {
  /** Must be safe to repeat: after a crash the step that was under way runs again. */
  do(state: State, tools: StepTools): Promise<Made>
  /** Takes back what `do` made or began to make; newest first, the failed step included. */
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
