import type { Journal } from './journal.ts'

const nameOf = (serverId: string) => `released:${serverId}`

/** The newest placement of a machine that this node has given away, -1 when there was none: nothing as old may be made or boot here again. */
export const releasedPlacement = (journal: Journal, serverId: string): number =>
  Number(journal.setting(nameOf(serverId)) ?? -1)

/** Gives a placement away, and every older one with it. */
export function releasePlacement(journal: Journal, serverId: string, placement: number): void {
  const newest = Math.max(placement, releasedPlacement(journal, serverId))
  journal.saveSetting(nameOf(serverId), String(newest))
}
