import type { MailResult } from '@lodge/shared/support/inbound.ts'
import type { Ctx } from '../../../context.ts'
import { Problem } from '../../../problem.ts'
import type { Envelope } from '../senders/check.ts'
import type { Mail } from './mail.ts'
import { mails } from './parsing.ts'
import { type Arrival, receiveMail } from './receive.ts'
import { noteUnchecked } from './unchecked-store.ts'

/** Mails that this process handles concurrently; each is in memory meanwhile. */
const MOST_AT_ONCE = 16
let inHand = 0

/**
 * Mail servers retry for days, at first every few minutes. DNS servers that have not answered after
 * this many attempts may never do so: the mail is then accepted as unproven.
 */
const MOST_ATTEMPTS = 4
const MOST_HOURS = 4

interface Whole extends Omit<Arrival, 'mail'> {
  readonly raw: Buffer
  /** The envelope and recipients, if our own mail server received it. */
  readonly envelope: (Envelope & { readonly to: readonly string[] }) | undefined
}

/**
 * Receives a raw mail, after checking its sender.
 * @throws {Problem} validation_failed; sender_unchecked if the check is not possible now
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
  // Automatic mail has no effects, whoever it is from.
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
