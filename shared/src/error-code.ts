/** The code of an error of Node or the system, such as `ENOENT`; undefined of any other. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
