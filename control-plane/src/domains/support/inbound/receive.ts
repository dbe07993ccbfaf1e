import type { MailResult } from '@lodge/shared/support/inbound.ts'
import type { Ctx } from '../../../context.ts'
import { attachStored, type StoredFile } from '../../attachments/index.ts'
import { readSettings } from '../../settings/index.ts'
import { deskSettings } from '../desk/settings.ts'
import { TICKET_MESSAGE } from '../tickets/messages.ts'
import { findAnswered } from './find-ticket.ts'
import { judge } from './judge.ts'
import type { Mail } from './mail.ts'
import { filesOf, keepFiles, type MailFiles } from './mail-files.ts'
import {
  addToTicket,
  openFromMail,
  type Put,
  senderOf,
  tellBounce,
  type Written,
} from './put-in-ticket.ts'
import { countMails, endMail, noteMail, ticketsOfMails } from './store.ts'

const TEN_MINUTES_MS = 600_000
const DAY_MS = 86_400_000
/** Limit of tickets that one sender may open by mail in a day. */
const MOST_TICKETS = 20

export interface Arrival {
  readonly mail: Mail
  /** The address of the desk. */
  readonly address: string
  readonly opensTickets: boolean
  /** The bridge's id of the delivery. */
  readonly deliveryId: string | null
}

interface Outcome {
  readonly result: MailResult
  readonly because: string | null
  readonly ticketId: string | null
  /** The message that it became, and its files. */
  readonly said?: {
    readonly messageId: string
    readonly files: readonly StoredFile[]
    readonly by: string | null
  }
}

const NO_FILES: MailFiles = { stored: [], leftOut: [], repeated: [] }

/**
 * Receives a mail from any source: it becomes a message of its ticket, opens a ticket, is held for an
 * agent, or is dropped. A repeated delivery changes nothing.
 */
export async function receiveMail(ctx: Ctx, arrival: Arrival): Promise<MailResult> {
  const { mail, deliveryId } = arrival
  const files =
    mail.automatic === undefined
      ? await keepFiles(ctx, mail, () => isStranger(ctx, arrival))
      : NO_FILES
  return ctx.transaction(async (ctx) => {
    const { messageId: mailId, from: sender } = mail
    const id = await noteMail(ctx.db, { mailId, deliveryId, sender, at: ctx.now })
    if (id === undefined) return 'duplicate'
    // A mail of our own that was sent back to us.
    if ((await ticketsOfMails(ctx.db, [mailId])).size > 0) return 'duplicate'
    const { said, ...outcome } = await take(ctx, id, arrival, files)
    if (said)
      await attachStored(ctx, { kind: TICKET_MESSAGE, id: said.messageId }, said.files, said.by)
    await endMail(ctx.db, id, outcome)
    return outcome.result
  })
}

/** Whether the sender is not proven to have an account. */
async function isStranger(ctx: Ctx, { mail, address }: Arrival): Promise<boolean> {
  const found = await findAnswered(ctx, mail, address)
  return (await senderOf(ctx, found, { mail, because: null })).userId === null
}

async function take(
  ctx: Ctx,
  id: string,
  { mail, address, opensTickets }: Arrival,
  files: MailFiles,
): Promise<Outcome> {
  const ignored = (because: string, ticketId: string | null = null): Outcome => ({
    ...{ result: 'ignored', because, ticketId },
  })
  if (mail.from === address) return ignored('own')
  const found = await findAnswered(ctx, mail, address)
  const judgement = judge({
    automatic: mail.automatic,
    found: found?.by,
    isParticipant: found?.participant !== undefined,
    sender: mail.sender,
    mailsInTenMinutes: await countMails(ctx.db, {
      ...{ id, sender: mail.from, ticketId: found?.ticket.id },
      since: new Date(ctx.now.getTime() - TEN_MINUTES_MS),
    }),
  })
  if (judgement.take === 'ignored') {
    if (judgement.because === 'bounce' && found) await tellBounce(ctx, found.ticket, mail)
    return ignored(judgement.because, found?.ticket.id)
  }
  const because = judgement.take === 'held' ? judgement.because : null
  const result = judgement.take
  const end = async (put: (written: Written) => Promise<Put>): Promise<Outcome> => {
    const sender = await senderOf(ctx, found, { mail, because })
    const { kept, note } = await filesOf(ctx, sender.userId, files)
    const { ticketId, messageId } = await put({ mail, sender, note, because })
    return { result, because, ticketId, said: { messageId, files: kept, by: sender.userId } }
  }
  if (found) return end((written) => addToTicket(ctx, found, written))
  const { enabled } = await readSettings(ctx.db, deskSettings)
  if (!opensTickets || !enabled) return ignored('no_ticket')
  if (because === 'loop' || (await openedToday(ctx, id, mail)) >= MOST_TICKETS)
    return ignored('too_many')
  return end((written) => openFromMail(ctx, written))
}

const openedToday = (ctx: Ctx, id: string, { from: sender }: Mail): Promise<number> =>
  countMails(ctx.db, { id, sender, since: new Date(ctx.now.getTime() - DAY_MS) })
