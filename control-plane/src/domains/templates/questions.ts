import { Question } from '../../answers.ts'
import type { Db } from '../../db/database.ts'

/** Servers per template, total and on older versions. */
export const serversOfTemplates = new Question<
  (
    db: Db,
    ids: readonly string[],
    ownerId: string | null,
  ) => Promise<ReadonlyMap<string, { servers: number; outdated: number }>>
>('servers of templates')
