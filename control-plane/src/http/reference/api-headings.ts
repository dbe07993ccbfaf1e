/** A heading of the API reference with its paths; each path includes those below it. */
export interface ApiHeading {
  readonly name: string
  /** Given once, even if several domains share the heading. */
  readonly description?: string
  readonly paths: readonly string[]
}

/** The headings in alphabetical order, each with its description. */
export function describedHeadings(
  headings: readonly ApiHeading[],
): { readonly name: string; readonly description: string }[] {
  return [...Map.groupBy(headings, ({ name }) => name)]
    .map(([name, same]) => {
      const [description, ...more] = same.flatMap(({ description = [] }) => description)
      if (description === undefined || more.length > 0)
        throw new Error(`Describe the heading ${name} of the API reference in one domain`)
      return { name, description }
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/**
 * The heading of a path; the longest match wins.
 * @throws if none matches: the endpoint's domain must declare one
 */
export function headingOf(headings: readonly ApiHeading[], path: string): string {
  const isUnder = (above: string) => path === above || path.startsWith(`${above}/`)
  const [found] = headings
    .flatMap(({ name, paths }) => paths.filter(isUnder).map((above) => ({ name, above })))
    .toSorted((one, other) => other.above.length - one.above.length)
  if (!found) throw new Error(`${path} has no heading: declare one in the domain.ts of its domain`)
  return found.name
}
