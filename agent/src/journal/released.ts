import type { Journal } from './journal.ts'

const nameOf = (serverId: string) => `released:${serverId}`

/**
 * The newest placement of a server that this node has given away, -1 when there is none. Nothing
 * of that placement or an older one may be created or booted here again.
 */
export const releasedPlacement = (journal: Journal, serverId: string): number =>
  Number(journal.setting(nameOf(serverId)) ?? -1)

/** Records that this placement, and every older one, was given away. */
export function releasePlacement(journal: Journal, serverId: string, placement: number): void {
  const newest = Math.max(placement, releasedPlacement(journal, serverId))
  journal.saveSetting(nameOf(serverId), String(newest))
}

const adoptedName = (serverId: string) => `adopted:${serverId}`

/** The placement for which a server's files were brought from another node; -1 when none was. */
export const adoptedPlacement = (journal: Journal, serverId: string): number =>
  Number(journal.setting(adoptedName(serverId)) ?? -1)

/** Records that the files of this placement are complete, so nothing is installed over them. */
export function adoptPlacement(journal: Journal, serverId: string, placement: number): void {
  journal.saveSetting(adoptedName(serverId), String(placement))
}
