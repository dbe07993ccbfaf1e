/** The lowest unused host ports of some ranges; fewer if they run out. */
export function freePorts(
  used: readonly number[],
  ranges: readonly { from: number; to: number }[],
  count: number,
): number[] {
  const taken = new Set(used)
  const free = new Set<number>()
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    for (let port = range.from; port <= range.to && free.size < count; port++) {
      if (!taken.has(port)) free.add(port)
    }
  }
  return [...free]
}
