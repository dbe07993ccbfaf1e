import {
  type AnyStep,
  Permanent,
  type StepTools,
} from '../../../control-plane/src/jobs/sagas/saga.ts'
import type { SagaCatalogue } from '../../../control-plane/src/jobs/worker.ts'
import { inTurn } from '../../run/lengths.ts'

type Saga = SagaCatalogue extends ReadonlyMap<string, infer One> ? One : never

/** A fault at one step of a saga. */
export interface Fault {
  readonly step: string
  readonly kind:
    | 'fails after its effect'
    | 'fails before its effect'
    | 'is killed before its journal'
    | 'cannot be undone at first'
    | 'is killed after its undo'
}

const OF_STEPS = [
  'fails after its effect',
  'is killed before its journal',
  'fails before its effect',
] as const

const OF_UNDOS = ['cannot be undone at first', 'is killed after its undo'] as const

/** The faults of a saga: each step and each undo of a rollback, in so many ways, which take turns. */
export const faultsOf = ({ name: saga, steps }: Saga, ways: number): Fault[] =>
  steps.flatMap(({ name, step }, at) =>
    [
      ...inTurn(OF_STEPS, saga.length + at, ways),
      ...(step.undo ? inTurn(OF_UNDOS, saga.length + at, ways) : []),
    ].map((kind) => ({ step: name, kind })),
  )

/** Whether the saga ends where it began, or where it would end without the fault. */
export const goesBack = ({ kind }: Fault): boolean => kind !== 'is killed before its journal'

/** The real steps of the catalogue, with faults around them for marked jobs. */
export class FaultySteps {
  /** By an id that the title or the input of the job contains. */
  readonly #faults = new Map<string, { fault: Fault; last: string; left: number }>()
  readonly #restore: (() => void)[] = []
  /** How often each step and undo of a marked job was started. */
  readonly begun = new Map<string, string[]>()

  constructor(sagas: readonly Saga[]) {
    for (const { steps } of sagas) for (const one of steps) this.#wrap(one)
  }

  /** Jobs whose title or input contains the id get this fault. */
  mark(id: string, saga: Saga, fault: Fault): void {
    this.#faults.set(id, { fault, last: saga.steps.at(-1)?.name ?? '', left: 1 })
  }

  unmark(id: string): void {
    this.#faults.delete(id)
  }

  restore(): void {
    for (const one of this.#restore) one()
  }

  #markOf({ job }: StepTools) {
    const about = `${job.title} ${JSON.stringify(job.input)}`
    for (const [id, found] of this.#faults) if (about.includes(id)) return { id, ...found, found }
    return undefined
  }

  #wrap({ name, step }: AnyStep): void {
    const { do: go, undo } = step
    const failed = () => new Permanent('test_fault', 'It was told to fail')
    const wrapped = {
      do: async (state: never, tools: StepTools) => {
        const mark = this.#markOf(tools)
        if (mark) this.#note(mark.id, `do ${name}`)
        const here = mark?.fault.step === name
        if (here && mark.fault.kind === 'fails before its effect') throw failed()
        const made = await go(state, tools)
        if (here && mark.fault.kind === 'fails after its effect') throw failed()
        if (here && mark.fault.kind === 'is killed before its journal' && mark.found.left-- > 0)
          throw new Error('the worker was killed')
        // Everything is undone when the last step fails.
        const isUndo = mark?.fault.kind.includes('undo') || mark?.fault.kind.includes('undone')
        if (isUndo && mark?.last === name) throw failed()
        return made
      },
      ...(undo && {
        undo: async (state: never, tools: StepTools) => {
          const mark = this.#markOf(tools)
          if (mark) this.#note(mark.id, `undo ${name}`)
          const here = mark?.fault.step === name
          if (here && mark.fault.kind === 'cannot be undone at first' && mark.found.left-- > 0)
            throw new Permanent('test_fault', 'It cannot be undone now')
          await undo(state, tools)
          if (here && mark.fault.kind === 'is killed after its undo' && mark.found.left-- > 0)
            throw new Error('the worker was killed')
        },
      }),
    }
    this.#restore.push(() => Object.assign(step, { do: go, ...(undo && { undo }) }))
    Object.assign(step, wrapped)
  }

  #note(id: string, what: string): void {
    this.begun.set(id, [...(this.begun.get(id) ?? []), what])
  }
}
