import { MAX_MAIL_BYTES } from '@lodge/shared/support/inbound.ts'
import type { SMTPServerSession } from 'smtp-server'
import { contextFor } from '../../../context.ts'
import { secondsUntilTaken } from '../../../http/throttle.ts'
import { Problem } from '../../../problem.ts'
import type { Services } from '../../../services.ts'
import { readSettings } from '../../settings/index.ts'
import { supportBudgets } from '../budgets.ts'
import { handedOverBy } from '../senders/received.ts'
import { isOfMailbox } from './reply-address.ts'
import { inboundArea } from './settings.ts'
import { receiveWhole } from './whole.ts'

/**
 * A reply to another mail server: 4xx makes it retry, 5xx makes it notify the sender (RFC 5321, 4.2).
 */
export type Refusal = Error & { readonly responseCode: number }

export const refusal = (responseCode: number, text: string): Refusal =>
  Object.assign(new Error(text), { responseCode })

/** A fault of ours must not lose a mail: the other server retries. */
export function refusalOf({ log }: Pick<Services, 'log'>, error: unknown): Refusal {
  if (error instanceof Error && 'responseCode' in error) return error as Refusal
  if (error instanceof Problem && error.code === 'rate_limited') return refusal(451, error.message)
  if (error instanceof Problem && error.status < 500)
    return refusal(error.code === 'payload_too_large' ? 552 : 554, error.message)
  if (error instanceof Problem && error.code === 'sender_unchecked')
    return refusal(451, error.message)
  log.warn({ err: error }, 'could not take in a mail')
  return refusal(451, 'Try again later')
}

/** @throws {Refusal} for mail to anybody but the desk: this is no open relay */
export async function requireMailbox(
  { db }: Services,
  recipient: string,
  remoteAddress: string,
): Promise<void> {
  const { enabled, address } = await readSettings(db, inboundArea)
  if (!enabled || address === null || !isOfMailbox(address, recipient))
    throw refusal(550, 'There is no such mailbox here')
  if ((await secondsUntilTaken(db, supportBudgets.inboundMail, remoteAddress)) > 0)
    throw refusal(451, 'Too many mails: try again later')
}

interface Delivered {
  readonly session: SMTPServerSession
  /** Whether a client relays mail of others and is trusted about its origin. */
  readonly isRelay: (address: string) => boolean
}

/** For a relay that does not record where it got a mail. */
const UNKNOWN = { clientAddress: '', helo: '' } as const

/** Delivers a complete mail. */
export async function deliver(
  services: Services,
  raw: Buffer,
  { session, isRelay }: Delivered,
): Promise<void> {
  const { envelope, remoteAddress, hostNameAppearsAs } = session
  if (raw.length > MAX_MAIL_BYTES) throw refusal(552, 'The mail is too large')
  const ctx = contextFor(services, { kind: 'anyone', address: remoteAddress })
  const { enabled, address, opensTickets } = await readSettings(ctx.db, inboundArea)
  if (!enabled || address === null) throw refusal(550, 'There is no such mailbox here')
  const { mailFrom, rcptTo } = envelope
  await receiveWhole(ctx, {
    ...{ raw, address, opensTickets, deliveryId: null },
    envelope: {
      ...(isRelay(remoteAddress)
        ? (handedOverBy(raw) ?? UNKNOWN)
        : { clientAddress: remoteAddress, helo: hostNameAppearsAs || '' }),
      sender: mailFrom === false ? '' : mailFrom.address,
      to: rcptTo.map((one) => one.address),
    },
  })
}
