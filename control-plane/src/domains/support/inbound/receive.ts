import type { MailResult } from '@lodge/shared/support/inbound.ts'
import type { Ctx } from '../../../context.ts'
import { Problem } from '../../../problem.ts'
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
import { countMails, countOpened, endMail, noteMail, ticketsOfMails } from './store.ts'

const TEN_MINUTES_MS = 600_000
const DAY_MS = 86_400_000
/** How many tickets a sender may open by mail; many in a short time suggest a loop. */
const MOST_TICKETS = [
  { most: 5, withinMs: TEN_MINUTES_MS },
  { most: 20, withinMs: DAY_MS },
] as const

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
 * agent, or, if a machine wrote it, is dropped. A repeated delivery changes nothing.
 * @throws {Problem} rate_limited, invalid_state if it may open no ticket: nobody would read it, so its
 * sender must learn of that
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
    mailsInTenMinutes: found
      ? await countMails(ctx.db, { id, ticketId: found.ticket.id, since: ago(ctx, TEN_MINUTES_MS) })
      : 0,
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
  if (!opensTickets || !enabled)
    throw new Problem(
      'invalid_state',
      'This address takes only answers to mails of the support. Open a ticket in the panel instead',
    )
  await requireRoom(ctx, mail)
  return end((written) => openFromMail(ctx, written))
}

const ago = ({ now }: Ctx, ms: number): Date => new Date(now.getTime() - ms)

/**
 * Mail with a forged sender does not count against the proven one.
 * @throws {Problem} rate_limited: another mail server sends it again later
 */
async function requireRoom(ctx: Ctx, { from: sender, sender: check }: Mail): Promise<void> {
  const isProven = check?.verified === true
  for (const { most, withinMs } of MOST_TICKETS) {
    const opened = await countOpened(ctx.db, { sender, isProven, since: ago(ctx, withinMs) })
    if (opened >= most)
      throw new Problem(
        'rate_limited',
        'This sender opened too many tickets. Answer one of them, or send the mail again later',
        { retryAfterSeconds: TEN_MINUTES_MS / 1000 },
      )
  }
}
