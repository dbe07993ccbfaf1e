const AT_ONCE = 6

/** Runs `work` over all items with limited concurrency; `onDone` hears how many are finished. */
export async function runForAll<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  onDone: (count: number) => void,
): Promise<R[]> {
  const results: R[] = []
  const queue = items.entries()
  let count = 0
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      results[index] = await work(item)
      onDone(++count)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return results
}
