import DataLoader from 'dataloader'

/**
 * Batches single lookups: those of one turn of the event loop share a statement. A lookup is never
 * answered by a statement sent before it arrived, so no caller sees stale data.
 * @param ask looks up several keys at once and omits keys without a result
 * @param most keys per statement
 */
export function batched<Answer>(
  ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, Answer>>,
  most = 32,
): (key: string) => Promise<Answer | undefined> {
  const loader = new DataLoader<string, Answer | undefined>(
    async (keys) => {
      const answers = await ask([...new Set(keys)])
      return keys.map((key) => answers.get(key))
    },
    { cache: false, maxBatchSize: most, batchScheduleFn: (send) => void setImmediate(send) },
  )
  return (key) => loader.load(key)
}
