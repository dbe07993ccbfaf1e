import type { AuthorKind } from '@lodge/shared/support/ticket-words.ts'
import type { TicketRow } from './tables.ts'

/** Who changed a ticket: a person, Lodge itself, or a rule. */
export interface ChangedBy {
  readonly kind: AuthorKind | 'rule'
  readonly id: string | null
  /** For a rule: its name. */
  readonly name?: string
}

/** Why a ticket changed. */
export type ChangeKind =
  | 'created'
  | 'customer_reply'
  | 'agent_reply'
  | 'note'
  | 'updated'
  | 'reopened'
  | 'rated'
  | 'merged'
  | 'split'
  | 'snooze_over'
  | 'reminded'
  | 'rating_asked'
  | 'inactive'

export interface TicketChange {
  readonly kind: ChangeKind
  readonly by: ChangedBy
  /** Null at its creation. */
  readonly before: TicketRow | null
  readonly after: TicketRow
  /** The new message, if there is one. */
  readonly messageId: string | null
}

declare module '../../../events/catalogue.ts' {
  interface EventCatalogue {
    /**
     * Every change of a ticket, in its transaction and under its lock. Listeners may change it
     * further with `changeTicket`, which emits this again with its own `by`.
     */
    'ticket.changed': TicketChange
    /** Ids of deleted tickets; their rows are gone. */
    'ticket.deleted': { ticketId: string }
    /** A scanner refused a file of a message. */
    'ticket.file_infected': { ticket: TicketRow; name: string; why: string }
  }
}
