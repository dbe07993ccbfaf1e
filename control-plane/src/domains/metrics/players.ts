import type { Players } from '@lodge/shared/players.ts'
import type { Server } from '@lodge/shared/servers.ts'
import type { Db } from '../../db/database.ts'
import { findPlayers } from './store.ts'

/** Who plays on a server, as its node told last. What does not run has no players. */
export async function readPlayers(
  db: Db,
  server: Pick<Server, 'id' | 'observedState' | 'since'>,
): Promise<Players> {
  const { asked, players } = await findPlayers(db, server.id)
  // An answer of an earlier run says nothing of this one.
  const current =
    server.observedState === 'running' &&
    players &&
    (server.since === null || Date.parse(players.at) >= Date.parse(server.since))
  return current
    ? { asked, ...players, names: [...players.names] }
    : { asked, at: null, online: null, most: null, names: [] }
}
