import type { Players } from '@lodge/shared/players.ts'
import { t } from './words.ts'

/** Games are queried every ten seconds; after this many missed responses one counts as silent. */
const OLD_MS = 45_000

/** "3 of 20 players". */
export function playersSentence({ online, most }: Pick<Players, 'online' | 'most'>): string {
  if (online === null) return t.notAnswered
  return most === null ? t.playerCount({ online }) : t.playersOf({ online, most })
}

/** Whether a response is older than the metrics beside it; both by the node's clock. */
export const isOld = (at: string, measuredAt: string | undefined): boolean =>
  measuredAt !== undefined && Date.parse(measuredAt) - Date.parse(at) > OLD_MS
