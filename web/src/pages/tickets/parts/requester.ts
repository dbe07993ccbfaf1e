import type { TicketSummary } from '@lodge/shared/support/tickets.ts'
import { t } from './words.ts'

/** Who asks: by name, else by address; a report of abuse may come with neither. */
export const requesterText = ({ name, email }: TicketSummary['requester']): string =>
  name ?? (email === '' ? t.withoutAddress : email)
