/** Sets are objects without fields, so they would all be the same. */
const written = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner instanceof Set ? [...inner].toSorted() : inner,
  )

/** Whether two values of a field say the same. */
export const isSame = (one: unknown, other: unknown): boolean =>
  Object.is(one, other) ||
  (!Number.isNaN(one) && !Number.isNaN(other) && written(one) === written(other))

/** The names of the values that differ from the saved ones. */
export const changedNames = <V extends object>(
  values: V,
  saved: V,
): readonly (keyof V & string)[] =>
  (Object.keys(values) as (keyof V & string)[]).filter((name) => !isSame(values[name], saved[name]))

/** What is saved now, for example by somebody else, with what has been changed here since. */
export const rebased = <V extends object>(values: V, saved: V, next: V): V => ({
  ...next,
  ...Object.fromEntries(changedNames(values, saved).map((name) => [name, values[name]])),
})
