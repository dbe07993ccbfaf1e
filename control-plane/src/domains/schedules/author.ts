import type { User } from '../../actor.ts'
import type { Db } from '../../db/database.ts'
import { asActor, findUser } from '../customers/index.ts'

/**
 * The author of a schedule's tasks as an actor without a session, with the account's current rights.
 * Undefined if there is none, or if it may not sign in.
 */
export async function findAuthor(db: Db, authorId: string | null): Promise<User | undefined> {
  const row = authorId === null ? undefined : await findUser(db, authorId)
  return row?.state === 'active' ? asActor(row) : undefined
}
