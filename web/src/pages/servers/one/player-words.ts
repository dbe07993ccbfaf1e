import type { Players } from '@lodge/shared/players.ts'

/** Games are asked every ten seconds; after this many missed answers one is silent. */
const OLD_MS = 45_000

/** "3 of 20 players". */
export function playersSentence({ online, most }: Pick<Players, 'online' | 'most'>): string {
  if (online === null) return 'The game has not answered yet.'
  if (most === null) return online === 1 ? '1 player' : `${online} players`
  return `${online} of ${most} players`
}

/** Whether an answer is older than the figures beside it; both are by the clock of the node. */
export const isOld = (at: string, measuredAt: string | undefined): boolean =>
  measuredAt !== undefined && Date.parse(measuredAt) - Date.parse(at) > OLD_MS
