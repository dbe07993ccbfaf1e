import type { User } from '../../actor.ts'
import type { Db } from '../../db/database.ts'
import { asActor, findUser } from '../customers/index.ts'

/**
 * Who chose the tasks of a schedule, as an actor without a session: with the rights that the
 * account has now. Undefined if there is none, or if it may not sign in.
 */
export async function findAuthor(db: Db, authorId: string | null): Promise<User | undefined> {
  const row = authorId === null ? undefined : await findUser(db, authorId)
  return row?.state === 'active' ? asActor(row) : undefined
}
