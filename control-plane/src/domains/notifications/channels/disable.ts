import type { DisabledReason } from '@lodge/shared/notification-channels.ts'
import type { Ctx } from '../../../context.ts'
import { failQueued } from './delivery-store.ts'
import { KINDS } from './kinds/all.ts'
import { type ChannelRow, deleteChannel, updateChannel } from './store.ts'

/** Stops a channel and notifies its owner why, unless the owner did it. */
export async function disable(
  ctx: Ctx,
  channel: ChannelRow,
  reason: DisabledReason,
  why: string,
): Promise<void> {
  await updateChannel(ctx.db, channel.id, {
    state: 'disabled',
    disabledReason: reason,
    disabledAt: ctx.now,
  })
  await failQueued(ctx.db, channel.id, 'The channel was disabled')
  if (reason === 'paused') return
  const { id: channelId, userId, name } = channel
  await ctx.emit('channel.disabled', { channelId, userId, name, reason, last: why })
}

/** Ends a channel whose receiver is gone: it is disabled, or removed if its receiver never comes back. */
export async function endGone(ctx: Ctx, channel: ChannelRow, why: string): Promise<void> {
  if (channel.kind === 'email' || !KINDS[channel.kind].endsWhenGone)
    return disable(ctx, channel, 'gone', why)
  const { id: channelId, userId, name } = channel
  await deleteChannel(ctx.db, channelId)
  await ctx.emit('channel.ended', { channelId, userId, name })
}
