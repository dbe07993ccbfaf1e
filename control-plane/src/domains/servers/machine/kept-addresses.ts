import { Question } from '../../../answers.ts'
import type { Db } from '../../../db/database.ts'

/**
 * How many free addresses of a network are kept for machines that were bought and do not exist yet.
 * Answered by the domain of orders.
 */
export const keptAddresses = new Question<(db: Db, networkId: string) => Promise<number>>(
  'addresses kept for orders',
)
