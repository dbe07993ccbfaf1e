import type { Db } from '../../../db/database.ts'
import { peopleOf } from '../access/store.ts'
import type { ServerRow } from '../tables.ts'

/** A server with the people to notify: its owner and collaborators. */
export interface ServerNews {
  serverId: string
  serverName: string
  people: readonly { userId: string; email: string }[]
}

/** Loads a server for notifications, with its owner and collaborators. */
export async function newsOf(
  db: Db,
  { id, name, ownerId }: Pick<ServerRow, 'id' | 'name' | 'ownerId'>,
): Promise<ServerNews> {
  return { serverId: id, serverName: name, people: await peopleOf(db, id, ownerId) }
}
