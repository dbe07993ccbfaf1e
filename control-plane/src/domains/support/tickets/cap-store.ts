import { and, eq, notInArray, sql } from 'drizzle-orm'
import { defineCap } from '../../../db/cap.ts'
import { supportTickets } from './tables.ts'

const MOST_OPEN = 50

export const openTicketsCap = defineCap({
  name: 'unsolved tickets of an account',
  most: MOST_OPEN,
  present: (userId) =>
    sql`select from ${supportTickets} where ${and(
      eq(supportTickets.requesterId, userId),
      notInArray(supportTickets.status, ['solved', 'closed']),
    )}`,
  refusal: `You already have ${MOST_OPEN} tickets that are not solved: write in one of them instead`,
})
