/** Adds the missing entries to a parsed lock and returns their names. */
export function completeLock(lock: { packages: Record<string, unknown> }): string[]
