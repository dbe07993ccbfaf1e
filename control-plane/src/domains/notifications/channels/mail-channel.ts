import { createHash, randomBytes } from 'node:crypto'
import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Ctx } from '../../../context.ts'
import { readerOf } from '../../../moment-text.ts'
import { Problem } from '../../../problem.ts'
import { idIn, signedId } from '../../../secrets/signed-id.ts'
import { findUser } from '../../customers/index.ts'
import { queueMail } from '../../email/index.ts'
import { disable } from './disable.ts'
import { announcementMail, channelMessage, channelVerify } from './mails.ts'
import { bodyOf, type Parcel, titleOf } from './message.ts'
import { type ChannelRow, lockChannel, takeVerification, updateChannel } from './store.ts'
import { openTarget } from './target.ts'

const VERIFY_HOURS = 24
const PURPOSE = 'channel unsubscribe'

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

const invalidLink = () =>
  new Problem(
    'invalid_token',
    'This link no longer works, because it was used or has expired: send a new one from the list of notification channels',
  )

/** Mails a verification link to the address of a channel; earlier links stop working. */
export async function mailVerification(
  ctx: Ctx,
  channel: ChannelRow,
  owner: string,
): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(ctx.now.getTime() + VERIFY_HOURS * 3_600_000)
  await updateChannel(ctx.db, channel.id, { verifyHash: hashOf(token), verifyUntil: expiresAt })
  await queueMail(ctx, channelVerify, {
    to: openTarget(ctx.vault, channel).to ?? '',
    // The owner of the channel may be somebody else, so their language and format do not apply.
    userId: null,
    variables: { owner },
    issued: { token, expiresAt },
  })
}

/** The owner of an address agrees to receive notifications. */
export async function verifyAddress(ctx: Ctx, token: string): Promise<{ address: string }> {
  const row = await takeVerification(ctx.db, hashOf(token))
  if (!row) throw invalidLink()
  return { address: openTarget(ctx.vault, row).to ?? '' }
}

/** Stops the mails of one channel; it never expires, because mails are kept for years. */
export const unsubscribeToken = ({ vault }: Pick<Ctx, 'vault'>, channelId: string): string =>
  signedId(vault, PURPOSE, channelId)

/** Stops the mails of a channel, from a link in one of them. Idempotent. */
export async function unsubscribe(ctx: Ctx, token: string): Promise<void> {
  const id = idIn(ctx.vault, PURPOSE, token)
  if (id === undefined) throw invalidLink()
  await ctx.transaction(async (ctx) => {
    const channel = await lockChannel(ctx.db, id)
    // Also one that its owner has switched off, who might switch it on again.
    if (channel && channel.disabledReason !== 'unsubscribed')
      await disable(ctx, channel, 'unsubscribed', '')
  })
}

/**
 * Puts a message to a mail channel into the outbox. @returns its id; undefined if the host has turned
 * this mail off
 */
export async function mailMessage(
  ctx: Ctx,
  channel: ChannelRow,
  parcel: Parcel,
): Promise<string | undefined> {
  const token = unsubscribeToken(ctx, channel.id)
  const title = titleOf(parcel)
  return queueMail(ctx, parcel.type === 'announcement' ? announcementMail : channelMessage, {
    to: openTarget(ctx.vault, channel).to ?? '',
    userId: null,
    // The frame of the mail is in the owner's language, as the message itself is.
    reader: readerOf(await findUser(ctx.db, channel.userId), ctx.language),
    unsubscribeUrl: `${ctx.panelUrl}/api/notification-channels/unsubscribe/${token}`,
    variables: {
      title,
      text: bodyOf(parcel) || title,
      page: `${ctx.panelUrl}${parcel.link ?? panelPath('notifications')}`,
      unsubscribe: `${ctx.panelUrl}${panelPath('unsubscribe')}#token=${token}`,
    },
  })
}
