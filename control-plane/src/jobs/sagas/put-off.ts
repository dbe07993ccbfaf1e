import { Question } from '../../answers.ts'
import type { Db } from '../../db/database.ts'

/** Whether nothing may be done with a server at present; its jobs go on later where they are. */
export const isServerPutOff = new Question<(db: Db, serverId: string) => Promise<boolean>>(
  'whether the jobs of a server wait',
)

/** How long such a job waits before it looks again. */
export const PUT_OFF_MS = 5_000
