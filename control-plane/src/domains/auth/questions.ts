import { Question } from '../../answers.ts'
import type { Db } from '../../db/database.ts'

/** The name of the panel, for authenticator apps and passkeys. */
export const panelName = new Question<(db: Db) => Promise<string>>('the name of the panel')
