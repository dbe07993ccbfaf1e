import type { Players } from '@lodge/shared/players.ts'
import type { Server } from '@lodge/shared/servers.ts'
import type { Db } from '../../db/database.ts'
import { findPlayers } from './store.ts'

/** The players on a server, as last reported by its node. A stopped server has none. */
export async function readPlayers(
  db: Db,
  server: Pick<Server, 'id' | 'observedState' | 'since'>,
): Promise<Players> {
  const { asked, players } = await findPlayers(db, server.id)
  // A report of an earlier run is out of date.
  const current =
    server.observedState === 'running' &&
    players &&
    (server.since === null || Date.parse(players.at) >= Date.parse(server.since))
  return current
    ? { asked, ...players, names: [...players.names] }
    : { asked, at: null, online: null, most: null, names: [] }
}
