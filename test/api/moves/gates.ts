import type { AnyStep, StepTools } from '../../../control-plane/src/jobs/sagas/saga.ts'
import { modules } from '../../../control-plane/src/modules.ts'

/** Stops the real steps of a saga where a test wants something to happen first. */
export class Gates implements Disposable {
  /** By the id of a server and the step: run once, before the step. */
  readonly #before = new Map<string, () => Promise<void>>()
  /** Servers whose jobs lose their worker after each undo, before it is recorded. */
  readonly killed = new Set<string>()
  readonly #undone = new Set<string>()
  readonly #restore: (() => void)[] = []

  constructor(...names: string[]) {
    const sagas = modules.flatMap(({ sagas = [] }) => sagas)
    for (const name of names) {
      const found = sagas.find((one) => one.name === name)
      if (!found) throw new Error(`there is no saga ${name}`)
      for (const one of found.steps) this.#wrap(one)
    }
  }

  before(serverId: string, step: string, work: () => Promise<void>): void {
    this.#before.set(`${serverId} ${step}`, work)
  }

  /** The same for the next server that reaches the step, whose id is not known yet. */
  beforeAny(step: string, work: () => Promise<void>): void {
    this.#before.set(` ${step}`, work)
  }

  restore(): void {
    for (const one of this.#restore) one()
  }

  [Symbol.dispose](): void {
    this.restore()
  }

  #wrap({ name, step }: AnyStep): void {
    const { do: go, undo } = step
    const wrapped = {
      do: async (state: never, tools: StepTools) => {
        const keys = [`${tools.job.serverId} ${name}`, ` ${name}`]
        const key = keys.find((one) => this.#before.has(one)) ?? ''
        const work = this.#before.get(key)
        this.#before.delete(key)
        await work?.()
        return go(state, tools)
      },
      ...(undo && {
        undo: async (state: never, tools: StepTools) => {
          await undo(state, tools)
          const key = `${tools.job.id} ${name}`
          if (!this.killed.has(tools.job.serverId ?? '') || this.#undone.has(key)) return
          this.#undone.add(key)
          throw new Error('the worker was killed')
        },
      }),
    }
    this.#restore.push(() => Object.assign(step, { do: go, ...(undo && { undo }) }))
    Object.assign(step, wrapped)
  }
}
