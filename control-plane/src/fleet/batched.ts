import { setImmediate as breath } from 'node:timers/promises'

export interface Batching {
  /**
   * How long the first item of a batch waits for more; 0 waits until everything received so far has
   * been read.
   */
  readonly waitMs: number
  /** Limit of items per batch. */
  readonly most: number
  /**
   * Whether to retry the items of a failed batch one by one, because only one of them may be at
   * fault.
   */
  readonly alone?: (error: unknown) => boolean
}

/**
 * Combines many concurrent calls, such as those of a thousand agents, into one. One batch runs at a
 * time and later items form the next, so batches grow with the load.
 * @param run returns a result per item, in order; must be repeatable after a failure
 * @returns a function that adds an item and returns its result; an urgent one starts its batch at
 * once
 */
export function batched<In, Out>(
  run: (items: readonly In[]) => Promise<readonly Out[]>,
  { waitMs, most, alone = () => false }: Batching,
): (item: In, urgent?: boolean) => Promise<Out> {
  interface Waiting {
    readonly item: In
    readonly resolve: (answer: Out) => void
    readonly reject: (error: unknown) => void
  }
  let waiting: Waiting[] = []
  let urgent = false
  let begin = () => {}
  let active = false

  async function pump(): Promise<void> {
    while (waiting.length > 0) {
      if (!urgent && waiting.length < most) await gather()
      urgent = false
      const batch = waiting.slice(0, most)
      waiting = waiting.slice(most)
      await settle(batch)
    }
    active = false
  }

  async function settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const answers = await run(batch.map(({ item }) => item))
      if (answers.length !== batch.length) throw new Error('a batch has not been answered in full')
      for (const [at, answer] of answers.entries()) batch[at]?.resolve(answer)
    } catch (error) {
      if (batch.length > 1 && alone(error)) for (const one of batch) await settle([one])
      else for (const { reject } of batch) reject(error)
    }
  }

  async function gather(): Promise<void> {
    if (waitMs === 0) return breath()
    const { promise, resolve } = Promise.withResolvers<void>()
    begin = resolve
    const timer = setTimeout(resolve, waitMs)
    await promise
    clearTimeout(timer)
  }

  return (item, isUrgent = false) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (isUrgent) urgent = true
      if (urgent || waiting.length >= most) begin()
      if (active) return
      active = true
      void pump()
    })
}
