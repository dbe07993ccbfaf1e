import type { MailResult } from '@lodge/shared/support/inbound.ts'
import type { Ctx } from '../../../context.ts'
import { Problem } from '../../../problem.ts'
import type { Envelope } from '../senders/check.ts'
import type { Mail } from './mail.ts'
import { mails } from './parsing.ts'
import { type Arrival, receiveMail } from './receive.ts'
import { noteUnchecked } from './unchecked-store.ts'

/** Mails that are read and checked at once in this process: each is in memory meanwhile. */
const MOST_AT_ONCE = 16
let inHand = 0

/**
 * Mail servers try for days, at first every few minutes. Name servers that have not answered for so long
 * may never do so: then the mail is taken as one that nobody vouches for.
 */
const MOST_ATTEMPTS = 4
const MOST_HOURS = 4

interface Whole extends Omit<Arrival, 'mail'> {
  readonly raw: Buffer
  /** Of a mail server of ours that received it, with whom it is for. */
  readonly envelope: (Envelope & { readonly to: readonly string[] }) | undefined
}

/**
 * Takes in a mail that came as it was sent, after asking who vouches for its sender.
 * @throws {Problem} validation_failed; sender_unchecked if nobody could be asked for now
 */
export async function receiveWhole(
  ctx: Ctx,
  { raw, envelope, ...arrival }: Whole,
): Promise<MailResult> {
  if (inHand >= MOST_AT_ONCE)
    throw new Problem(
      'sender_unchecked',
      'Too many mails are being checked now. Send it again later',
    )
  inHand++
  const mail = await readAndCheck(ctx, raw, envelope).finally(() => inHand--)
  return receiveMail(ctx, { ...arrival, mail })
}

async function readAndCheck(ctx: Ctx, raw: Buffer, envelope: Whole['envelope']): Promise<Mail> {
  const mail = await mails.parse(
    raw,
    envelope && { to: envelope.to, isBounce: envelope.sender === '' },
  )
  // Nothing comes of what a machine sent, whoever it is.
  if (mail.automatic !== undefined) return mail
  const host = new URL(ctx.panelUrl).hostname
  const given = { from: mail.from, envelope, host, now: ctx.now }
  const { check, isUnsure } = await mails.check(raw, given, ctx.names)
  if (isUnsure && !(await isAskedEnough(ctx, mail)))
    throw new Problem(
      'sender_unchecked',
      'The domain of the sender could not be asked about the mail. Send it again later',
    )
  return { ...mail, sender: check }
}

async function isAskedEnough(
  { db, now }: Ctx,
  { messageId }: Pick<Mail, 'messageId'>,
): Promise<boolean> {
  const { attempts, firstAt } = await noteUnchecked(db, messageId, now)
  return attempts >= MOST_ATTEMPTS && now.getTime() - firstAt.getTime() >= MOST_HOURS * 3_600_000
}
