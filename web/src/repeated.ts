/** Rows of a list in runs: what follows itself is shown once, with how often it happened. */
export function inRuns<T>(
  items: readonly T[],
  same: (one: T, next: T) => boolean,
): readonly { readonly first: T; readonly all: readonly T[] }[] {
  const runs: { first: T; all: T[] }[] = []
  for (const item of items) {
    const run = runs.at(-1)
    if (run && same(run.first, item)) run.all.push(item)
    else runs.push({ first: item, all: [item] })
  }
  return runs
}
