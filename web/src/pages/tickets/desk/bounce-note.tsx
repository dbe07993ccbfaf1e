import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import { Note } from '../../../ui/notices/note.tsx'
import { t } from './words.ts'

/** A note that mails of this ticket do not reach the customer, shown until they write again. */
export function BounceNote({ ticket: { events, lastCustomerAt } }: { ticket: TicketThread }) {
  const bounce = events?.findLast(({ change }) => typeof change.mailBounced === 'string')
  if (!bounce || (lastCustomerAt !== null && lastCustomerAt > bounce.at)) return null
  return (
    <Note tone="warn" title={t.cameBack}>
      {t.cameBackText({ subject: String(bounce.change.mailBounced) })}
    </Note>
  )
}
