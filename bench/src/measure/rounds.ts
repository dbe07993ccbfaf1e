/** One short burst of the same operation. */
export interface Burst {
  readonly operations: number
  readonly seconds: number
  /** CPU of the process under test, microseconds in total. */
  readonly appMicros: number
  /** CPU of its database backends, microseconds in total. */
  readonly databaseMicros: number
  /** Latency of each operation, milliseconds. */
  readonly latenciesMs: readonly number[]
}

/** Milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/**
 * Runs every side once per round, alternating and in reverse order every other round, so that other
 * load on the machine affects all sides alike.
 */
export async function interleave<Side extends string, Result>(
  rounds: number,
  sides: Readonly<Record<Side, () => Promise<Result>>>,
): Promise<Record<Side, Result[]>> {
  const names = Object.keys(sides) as Side[]
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Side,
    Result[]
  >
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      results[name].push(await sides[name]())
    }
  }
  return results
}

/** The middle value; for an even number the mean of the middle two. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** @param share 0 to 1; interpolated linearly between two values */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  if (sorted.length === 0) throw new Error('there is no quantile of nothing')
  const at = share * (sorted.length - 1)
  const below = sorted[Math.floor(at)] ?? 0
  const above = sorted[Math.ceil(at)] ?? below
  return below + (above - below) * (at - Math.floor(at))
}

/** The median over the rounds of `ours` divided by the `limit` of the same round. */
export function medianRatio<Result>(
  ours: readonly Result[],
  limit: readonly Result[],
  cost: (result: Result) => number,
): number {
  if (ours.length !== limit.length) throw new Error('both sides need the same number of rounds')
  return median(ours.map((one, round) => cost(one) / cost(limit[round] as Result)))
}

/**
 * How often a value of one side is above one of the other: 0.5 when they are indistinguishable, 0
 * or 1 when completely separate (the area under the ROC curve, by Mann-Whitney ranks; ties count
 * half).
 */
export function separation(ones: readonly number[], others: readonly number[]): number {
  if (ones.length === 0 || others.length === 0) throw new Error('nothing is told from nothing')
  const sorted = others.toSorted((a, b) => a - b)
  /** How many of the others are below a value, or not above it. */
  const count = (isBefore: (other: number) => boolean) => {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (isBefore(sorted[middle] ?? 0)) low = middle + 1
      else high = middle
    }
    return low
  }
  let wins = 0
  for (const one of ones)
    wins += (count((other) => other < one) + count((other) => other <= one)) / 2
  return wins / (ones.length * others.length)
}

/** Microseconds of CPU per operation, process and database together. */
export const cpuPerOperation = (burst: Burst): number =>
  (burst.appMicros + burst.databaseMicros) / burst.operations

export const perSecond = (burst: Burst): number => burst.operations / burst.seconds
