import { Question } from '../../answers.ts'
import type { Db } from '../../db/database.ts'

/** How many servers each of these templates has, and how many of them are of an older version. */
export const serversOfTemplates = new Question<
  (
    db: Db,
    ids: readonly string[],
    ownerId: string | null,
  ) => Promise<ReadonlyMap<string, { servers: number; outdated: number }>>
>('servers of templates')
