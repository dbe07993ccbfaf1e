import type { HeldReason, SenderCheck } from '@lodge/shared/support/sender-check.ts'
import type { Automatic } from './automatic.ts'

/** Mails about one ticket in ten minutes, above which a loop is suspected. */
const MOST_IN_TEN_MINUTES = 5

interface Arrived {
  readonly automatic: Automatic | undefined
  /** How the mail names its ticket: by a token of its own, or by an answer to a mail of ours. */
  readonly found: 'token' | 'reference' | undefined
  /** Whether the sender is the participant to whom the token or the mail went. */
  readonly isParticipant: boolean
  readonly sender: Pick<SenderCheck, 'dmarc'> | null
  readonly mailsInTenMinutes: number
}

/** What becomes of a mail. Held mails are stored for an agent and go to nobody else. */
export type Judgement =
  | { readonly take: 'accepted' }
  | { readonly take: 'held'; readonly because: HeldReason }
  | { readonly take: 'ignored'; readonly because: Automatic }

/**
 * Decides about a mail. Whoever is not proven to be the participant never speaks for them, and no
 * machine reopens a ticket.
 */
export function judge(mail: Arrived): Judgement {
  if (mail.automatic !== undefined) return { take: 'ignored', because: mail.automatic }
  if (mail.mailsInTenMinutes >= MOST_IN_TEN_MINUTES) return { take: 'held', because: 'loop' }
  if (mail.sender && isDisowned(mail.sender)) return { take: 'held', because: 'disowned' }
  if (mail.found !== undefined && !mail.isParticipant)
    return { take: 'held', because: 'unverified_sender' }
  // Whoever knows a mail of ours may write in the name of a domain that nobody can ask.
  if (mail.found === 'reference' && mail.sender?.dmarc.result === 'temperror')
    return { take: 'held', because: 'unchecked' }
  return { take: 'accepted' }
}

/**
 * Whether the domain of the sender asks to be rid of such mail. One that only watches (`p=none`) says
 * no more than one that says nothing; a bridge does not tell which of these it is.
 */
const isDisowned = ({ dmarc }: Pick<SenderCheck, 'dmarc'>): boolean =>
  dmarc.result === 'fail' && dmarc.policy !== 'none'
