const KEPT = 100
const keyOf = (serverId: string): string => `lodge.commands.${serverId}`

/** Commands typed for a server in this browser, oldest first. */
export function readCommands(serverId: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(serverId)) ?? '[]')
    return Array.isArray(kept) ? kept.filter((line) => typeof line === 'string') : []
  } catch {
    return []
  }
}

/** Stores a command; consecutive duplicates count once. */
export function keepCommand(serverId: string, line: string): readonly string[] {
  const kept = readCommands(serverId)
  const next = (kept.at(-1) === line ? kept : [...kept, line]).slice(-KEPT)
  try {
    localStorage.setItem(keyOf(serverId), JSON.stringify(next))
  } catch {
    // Without storage the history lasts as long as the page.
  }
  return next
}
