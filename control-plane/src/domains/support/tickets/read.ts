import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { markRead } from './read-store.ts'

/**
 * Records how far the caller has read a ticket.
 * @param at `updatedAt` of what they saw: anything written since stays unread
 */
export const readTicket = ({ db, actor, now }: Ctx<User>, ticketId: string, at: Date) =>
  markRead(db, { userId: actor.id, ticketId, readAt: at < now ? at : now })
