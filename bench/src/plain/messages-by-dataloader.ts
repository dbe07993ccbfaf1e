import DataLoader from 'dataloader'
import type { batched as ours } from '../../../control-plane/src/fleet/batched.ts'

/** dataloader with a timer; batches may overlap, and an urgent item waits like any other. */
export const batched: typeof ours = <In, Out>(
  run: (items: readonly In[]) => Promise<readonly Out[]>,
  { waitMs, most, alone = () => false }: Parameters<typeof ours>[1],
) => {
  const each = async (items: readonly In[]): Promise<(Out | Error)[]> => {
    try {
      return [...(await run(items))]
    } catch (error) {
      if (items.length === 1 || !alone(error)) throw error
      return (await Promise.all(items.map((item) => each([item]).catch((fault) => [fault])))).flat()
    }
  }
  const loader = new DataLoader<In, Out>(each, {
    cache: false,
    maxBatchSize: most,
    batchScheduleFn: (start) => void (waitMs > 0 ? setTimeout(start, waitMs) : setImmediate(start)),
  })
  return (item: In) => loader.load(item)
}
