/** Groups consecutive equal rows, which are shown once with their count. */
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
