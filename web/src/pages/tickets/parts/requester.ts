import type { TicketSummary } from '@lodge/shared/support/tickets.ts'
import { t } from './words.ts'

/** The requester's name, otherwise their address; a report of abuse may have neither. */
export const requesterText = ({ name, email }: TicketSummary['requester']): string =>
  name ?? (email === '' ? t.withoutAddress : email)
