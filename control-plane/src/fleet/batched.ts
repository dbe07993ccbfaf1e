import { setImmediate as breath } from 'node:timers/promises'

export interface Batching {
  /** How long the first of a batch waits for others; 0 is until everything that is there has been read. */
  readonly waitMs: number
  /** A batch holds no more items than these. */
  readonly most: number
  /** Whether items of a failed batch may succeed one by one: one of them may be what failed it. */
  readonly alone?: (error: unknown) => boolean
}

/**
 * Makes one call of many that come close together, such as those of a thousand agents. One batch is
 * under way at a time; what comes meanwhile is the next one, so that batches grow with the load.
 * @param run answers for each item, in their order; has to bear being repeated after it failed
 * @returns takes one item and gives its answer; an urgent one lets its batch begin at once
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
