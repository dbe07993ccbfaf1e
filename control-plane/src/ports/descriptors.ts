import { readFileSync } from 'node:fs'

const RESERVE_SHARE = 0.25
const LEAST_RESERVE = 256

/**
 * Connections allowed per port, so that enough descriptors remain for the database, files and
 * outgoing connections.
 * @param limit open files allowed to this process
 */
export function connectionBudget(limit = openFileLimit()): { panel: number; fleet: number } {
  const reserve = Math.max(LEAST_RESERVE, Math.ceil(limit * RESERVE_SHARE))
  const half = Math.max(64, Math.floor((limit - reserve) / 2))
  return { panel: Math.min(half, 20_000), fleet: Math.min(half, 100_000) }
}

/** The kernel's limit, or a common default if it cannot be read. */
function openFileLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    const soft = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1]
    return soft === 'unlimited' ? 1_048_576 : Number(soft ?? 1024)
  } catch {
    return 1024
  }
}
