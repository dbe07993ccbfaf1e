import { randomUUIDv7 } from 'node:crypto'
import type { ChannelTest } from '@lodge/shared/notification-channels.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { readerOf } from '../../../moment-text.ts'
import { Problem } from '../../../problem.ts'
import { wordsFor } from '../../../said-in.ts'
import { findUser } from '../../customers/index.ts'
import { mailPanel } from '../../email/index.ts'
import { endGone } from './disable.ts'
import { KINDS } from './kinds/all.ts'
import { mailMessage } from './mail-channel.ts'
import type { Parcel } from './message.ts'
import { send } from './send.ts'
import { sendingTo } from './sending.ts'
import { type ChannelRow, lockChannel, updateChannel } from './store.ts'
import { openTarget } from './target.ts'
import { t } from './words.ts'

/** Sends a test message immediately, outside the queue, and returns the receiver's answer. */
export async function testChannel(ctx: Ctx<User>, channel: ChannelRow): Promise<ChannelTest> {
  if (channel.state === 'unverified')
    throw new Problem(
      'invalid_state',
      'The address of this channel is not confirmed yet: open the link in the mail that was sent to it',
    )
  // To others only while they want its mails.
  const isOff = channel.kind === 'email' && channel.state !== 'active'
  if (isOff && openTarget(ctx.vault, channel).to !== ctx.actor.email)
    throw new Problem('invalid_state', 'The channel is not active: switch it on first')
  const panel = await mailPanel(ctx)
  const reader = readerOf(await findUser(ctx.db, ctx.actor.id), ctx.language)
  const words = wordsFor(t, reader)
  const parcel: Parcel = {
    id: randomUUIDv7(),
    type: 'channel.test',
    severity: 'info',
    title: words.testTitle({ panel: panel.name }),
    body: words.testBody({ channel: channel.name }),
    link: '/account/notifications',
    server: null,
    at: ctx.now.toISOString(),
    count: 1,
    language: reader.language,
    items: [],
  }
  const startedAt = performance.now()
  const durationMs = () => Math.round(performance.now() - startedAt)
  if (channel.kind === 'email') {
    const id = await ctx.transaction((ctx) => mailMessage(ctx, channel, parcel))
    const error = id === undefined ? 'The host has turned this mail off' : null
    const answer = id === undefined ? '' : `Handed to the outbox as ${id}`
    return { delivered: id !== undefined, status: null, answer, error, durationMs: durationMs() }
  }
  const sending = await sendingTo(ctx, channel, parcel, ctx.now)
  const { delivered, status, answer, error, gone } = await send(ctx, channel.kind, sending)
  if (delivered) await updateChannel(ctx.db, channel.id, { failingSince: null })
  if (gone && KINDS[channel.kind].endsWhenGone)
    await ctx.transaction(async (ctx) => {
      const locked = await lockChannel(ctx.db, channel.id)
      if (locked) await endGone(ctx, locked, answer)
    })
  return { delivered, status, answer, error, durationMs: durationMs() }
}
