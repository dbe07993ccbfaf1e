import type { Ctx } from '../../../context.ts'
import { notFound, Problem } from '../../../problem.ts'
import { lockTicket } from './store.ts'
import type { TicketRow } from './tables.ts'

/**
 * A ticket, locked until the transaction ends.
 * @throws {Problem} not_found, or invalid_state if it was merged into another one
 */
export async function lockedTicket(ctx: Ctx, id: string): Promise<TicketRow> {
  const ticket = await lockTicket(ctx.db, id)
  if (!ticket) throw notFound('ticket')
  if (ticket.mergedInto !== null)
    throw new Problem(
      'invalid_state',
      'The ticket was merged into another one: go on in that one',
      { fields: { mergedInto: ticket.mergedInto } },
    )
  return ticket
}
