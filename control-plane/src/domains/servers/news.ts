import type { Db } from '../../db/database.ts'
import { peopleOf } from './sharing/store.ts'
import type { ServerRow } from './tables.ts'

/** A server that something happened to, and everybody who is to hear of it: its owner and those it is shared with. */
export interface ServerNews {
  serverId: string
  serverName: string
  people: readonly { userId: string; email: string }[]
}

/** A server as news tell of it, with everybody who hears of it: its owner and those it is shared with. */
export async function newsOf(
  db: Db,
  { id, name, ownerId }: Pick<ServerRow, 'id' | 'name' | 'ownerId'>,
): Promise<ServerNews> {
  return { serverId: id, serverName: name, people: await peopleOf(db, id, ownerId) }
}
