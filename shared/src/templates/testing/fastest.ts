/** Milliseconds of the fastest of up to three runs: what the work costs, not what else the machine did. */
export function fastestMs(limitMs: number, work: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < 3 && best >= limitMs; run++) {
    const before = performance.now()
    work()
    best = Math.min(best, performance.now() - before)
  }
  return best
}
