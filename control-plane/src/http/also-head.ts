/** A page answers HEAD as well (RFC 9110, 9.3.2): monitors and link checkers ask for no more. */
export const ALSO_HEAD = { exposeHeadRoute: true } as const
