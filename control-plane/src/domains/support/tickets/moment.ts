import type { Ctx } from '../../../context.ts'
import type { TicketRow } from './tables.ts'

/**
 * The time of a change to a locked ticket: after every earlier change. The transaction's own time may
 * not be: a transaction that waited for the lock began before the one that held it, and another
 * control plane's clock may be ahead.
 * @param ticket as it was before the change
 */
export const momentOf = (
  { now }: Pick<Ctx, 'now'>,
  { touchedAt }: Pick<TicketRow, 'touchedAt'>,
): Date => new Date(Math.max(now.getTime(), touchedAt.getTime() + 1))
