/** The maximum KiB transferred on a first visit, typefaces included, with an empty cache. */
export const FIRST_VISIT_KIB = { signIn: 180, list: 230 } as const
