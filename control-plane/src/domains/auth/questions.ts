import { Question } from '../../answers.ts'
import type { Db } from '../../db/database.ts'

/** What the panel is called, for authenticators and passkeys. */
export const panelName = new Question<(db: Db) => Promise<string>>('what the panel is called')
