import { Question } from '../../../answers.ts'
import type { Db } from '../../../db/database.ts'

/**
 * Which of these servers a person may see, by id. Deleted servers are missing: nothing about them
 * needs protection any more.
 */
export const serversSeenBy = new Question<
  (db: Db, userId: string, serverIds: readonly string[]) => Promise<ReadonlyMap<string, boolean>>
>('servers seen by a person')
