/** A heading of the API reference, and what stands below it: paths, with all that lie under them. */
export interface ApiHeading {
  readonly name: string
  /** Said once, where several domains share the heading. */
  readonly description?: string
  readonly paths: readonly string[]
}

/** The headings in the order of the alphabet, each with what it is about. */
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
 * The heading of a path; the longest that matches has it.
 * @throws where none does: the domain of the endpoint declares one
 */
export function headingOf(headings: readonly ApiHeading[], path: string): string {
  const isUnder = (above: string) => path === above || path.startsWith(`${above}/`)
  const [found] = headings
    .flatMap(({ name, paths }) => paths.filter(isUnder).map((above) => ({ name, above })))
    .toSorted((one, other) => other.above.length - one.above.length)
  if (!found) throw new Error(`${path} has no heading: declare one in the domain.ts of its domain`)
  return found.name
}
