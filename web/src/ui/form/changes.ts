/** Sets need a conversion: as JSON they would all be equal. */
const written = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner instanceof Set ? [...inner].toSorted() : inner,
  )

/** Whether two values of a field are equal. */
export const isSame = (one: unknown, other: unknown): boolean =>
  Object.is(one, other) ||
  (!Number.isNaN(one) && !Number.isNaN(other) && written(one) === written(other))

/** The names of the values that differ from the saved ones. */
export const changedNames = <V extends object>(
  values: V,
  saved: V,
): readonly (keyof V & string)[] =>
  (Object.keys(values) as (keyof V & string)[]).filter((name) => !isSame(values[name], saved[name]))

/** What a change of a field takes with it: a typed password the server for which it was typed. */
export type GoesWith<V> = { readonly [K in keyof V]?: readonly (keyof V & string)[] }

/**
 * The newly saved values, for example by somebody else, with the changes made here, and what goes
 * with those.
 */
export function rebased<V extends object>(
  values: V,
  saved: V,
  next: V,
  goesWith: GoesWith<V> = {},
): V {
  const mine = changedNames(values, saved).flatMap((name) => [name, ...(goesWith[name] ?? [])])
  return {
    ...next,
    ...Object.fromEntries(mine.map((name) => [name, values[name]])),
  }
}

/** A newly saved list, with what was added here and without what was removed here. */
export const rebasedList = <T>(values: Iterable<T>, saved: Iterable<T>, next: Iterable<T>): T[] => {
  const [mine, before, theirs] = [new Set(values), new Set(saved), new Set(next)]
  return [...new Set([...theirs, ...mine])].filter((one) =>
    mine.has(one) === before.has(one) ? theirs.has(one) : mine.has(one),
  )
}
