/** The most KiB over the line of a first visit, typefaces included, with an empty cache. */
export const FIRST_VISIT_KIB = { signIn: 184, list: 234 } as const
