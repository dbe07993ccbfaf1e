import type { HeldReason, SenderCheck } from '@lodge/shared/support/sender-check.ts'
import type { Automatic } from './automatic.ts'

/** More mails than this about one ticket in ten minutes suggest a loop. */
const MOST_IN_TEN_MINUTES = 5

interface Arrived {
  readonly automatic: Automatic | undefined
  /** How the mail refers to its ticket: by a token of ours, or as an answer to a mail of ours. */
  readonly found: 'token' | 'reference' | undefined
  /** Whether the sender is the participant to whom the token or the mail was sent. */
  readonly isParticipant: boolean
  readonly sender: Pick<SenderCheck, 'dmarc'> | null
  readonly mailsInTenMinutes: number
}

/** What happens to a mail. Held mails are stored for an agent and shown to nobody else. */
export type Judgement =
  | { readonly take: 'accepted' }
  | { readonly take: 'held'; readonly because: HeldReason }
  | { readonly take: 'ignored'; readonly because: Automatic }

/**
 * Decides on a mail. An unproven sender never speaks for a participant, and automatic mail reopens no
 * ticket.
 */
export function judge(mail: Arrived): Judgement {
  if (mail.automatic !== undefined) return { take: 'ignored', because: mail.automatic }
  if (mail.mailsInTenMinutes >= MOST_IN_TEN_MINUTES) return { take: 'held', because: 'loop' }
  if (mail.sender && isDisowned(mail.sender)) return { take: 'held', because: 'disowned' }
  if (mail.found !== undefined && !mail.isParticipant)
    return { take: 'held', because: 'unverified_sender' }
  // Anybody who knows a mail of ours could write in the name of a domain that cannot be queried.
  if (mail.found === 'reference' && mail.sender?.dmarc.result === 'temperror')
    return { take: 'held', because: 'unchecked' }
  return { take: 'accepted' }
}

/**
 * Whether the sender's domain asks receivers to reject or quarantine such mail. A policy of `p=none`
 * counts as no policy; a bridge does not distinguish the two.
 */
const isDisowned = ({ dmarc }: Pick<SenderCheck, 'dmarc'>): boolean =>
  dmarc.result === 'fail' && dmarc.policy !== 'none'
