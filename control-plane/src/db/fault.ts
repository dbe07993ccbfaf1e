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

/**
 * Connection lost, server starting or shutting down, too many connections, too slow to end a statement
 * in time, or read-only.
 */
export function isDatabaseAway(error: unknown): boolean {
  const code = databaseFault(error)?.code
  if (code && (/^(08|57|53|40)/.test(code) || code === '25006')) return true
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (
      /Connection terminated|not queryable|timeout exceeded when trying to connect|ECONNREFUSED|EPIPE|ENOENT.*PGSQL|ECONNRESET|the database system is/.test(
        at.message,
      )
    )
      return true
  }
  return false
}
