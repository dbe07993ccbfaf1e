/** Adds the missing entries to the parsed lock and returns their names. */
export function completeLock(lock: { packages: Record<string, unknown> }): string[]
