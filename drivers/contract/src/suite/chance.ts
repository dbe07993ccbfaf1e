let state = 1

/** From here on chance falls as the seed says; `test/seed.ts` does it before every file of tests. */
export function seedChance(seed: number): void {
  state = seed
}

/** A number from 0 to below 1, the same ones after the same seed. */
export function chance(): number {
  // Mulberry32: small, and even enough to draw test cases with.
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

/** A whole number from `from` to below `to`. */
export const drawn = (from: number, to: number): number => from + Math.floor(chance() * (to - from))

export const anyOf = <T>(items: readonly T[]): T => items[drawn(0, items.length)] as T

/** The same items in a drawn order. */
export const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, place: chance() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
