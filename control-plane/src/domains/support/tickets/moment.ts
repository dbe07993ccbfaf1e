import type { Ctx } from '../../../context.ts'
import type { TicketRow } from './tables.ts'

/**
 * When a change of a locked ticket happens: after all that happened to it before. The time of the
 * transaction is not that: whoever waited for the lock began earlier than the one who had it, and the
 * clock of another control plane may be ahead.
 * @param ticket as it was before the change
 */
export const momentOf = (
  { now }: Pick<Ctx, 'now'>,
  { touchedAt }: Pick<TicketRow, 'touchedAt'>,
): Date => new Date(Math.max(now.getTime(), touchedAt.getTime() + 1))
