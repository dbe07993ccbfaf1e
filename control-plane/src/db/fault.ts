/**
 * PostgreSQL's error code (e.g. 23505) and constraint name, from however deep in the cause chain.
 */
export function databaseFault(
  error: unknown,
): { code: string; constraint: string | undefined } | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && /^[0-9A-Z]{5}$/.test(at.code)) {
      const constraint =
        'constraint' in at && typeof at.constraint === 'string' ? at.constraint : undefined
      return { code: at.code, constraint }
    }
  }
  return undefined
}

export const isDuplicate = (error: unknown, constraint?: string): boolean => {
  const fault = databaseFault(error)
  return fault?.code === '23505' && (constraint === undefined || fault.constraint === constraint)
}
