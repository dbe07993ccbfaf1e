/**
 * Limits how many calls run at once; the others queue in order.
 * @returns runs the work when a place is free and returns its result
 */
export function limited(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= places) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // Hand the place to the next in line, so that no newcomer overtakes it.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
