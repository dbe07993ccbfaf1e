let state = 1

/**
 * Seeds the random numbers; `test/run/seed.ts` calls this before every test file, so that runs are
 * reproducible.
 */
export function seedChance(seed: number): void {
  state = seed
}

/** A pseudorandom number from 0 up to but excluding 1. */
export function chance(): number {
  // Mulberry32: short, and uniform enough for drawing test cases.
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

/** An integer from `from` up to but excluding `to`. */
export const drawn = (from: number, to: number): number => from + Math.floor(chance() * (to - from))

export const anyOf = <T>(items: readonly T[]): T => items[drawn(0, items.length)] as T

/** The same items in random order. */
export const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, place: chance() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
