import { Question } from '../../answers.ts'
import type { Db } from '../../db/database.ts'

/** Number of servers each of these people owns. */
export const serversOwned = new Question<
  (db: Db, ids: readonly string[]) => Promise<ReadonlyMap<string, number>>
>('servers of people')
