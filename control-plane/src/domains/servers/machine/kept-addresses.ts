import { Question } from '../../../answers.ts'
import type { Db } from '../../../db/database.ts'

/**
 * How many free addresses of a network are reserved for bought machines that do not exist yet. The
 * domain of orders answers.
 */
export const keptAddresses = new Question<(db: Db, networkId: string) => Promise<number>>(
  'addresses kept for orders',
)
