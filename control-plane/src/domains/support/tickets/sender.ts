import type { HeldReason, SenderCheck } from '@lodge/shared/support/sender-check.ts'
import type { AuthorKind, TicketChannel } from '@lodge/shared/support/ticket-words.ts'
import type { User } from '../../../actor.ts'
import type { ChangedBy } from './events.ts'
import { isStaff } from './reader.ts'

/** The author of a message and its source: the caller, a mail, or Lodge. */
export interface Sender {
  readonly kind: AuthorKind
  /** Null without an account. */
  readonly userId: string | null
  /** For a mail: its sender. */
  readonly email?: string
  readonly channel: TicketChannel
  readonly unverified?: boolean
  /** For a mail: the result of the sender check. */
  readonly check?: SenderCheck | null
  /** Why it is held for an agent; absent or null if it is not. */
  readonly heldBecause?: HeldReason | null
  /** Message-ID of a mail. */
  readonly mailId?: string
  readonly inReplyTo?: string
}

/** The caller as the sender of what they write in the panel. */
export const senderOf = (actor: User): Sender => ({
  kind: isStaff(actor) ? 'agent' : 'customer',
  userId: actor.id,
  channel: actor.scopes ? 'api' : 'web',
})

export const changedBy = ({ kind, userId }: Sender): ChangedBy => ({ kind, id: userId })
