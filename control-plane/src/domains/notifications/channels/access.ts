import type { Resource } from '../../../http/access.ts'
import { type ChannelRow, findChannel } from './store.ts'

/** A notification channel; it exists only for its owner. */
export const channel: Resource<'channel', ChannelRow, never> = {
  name: 'channel',
  loads: (ctx, id) => findChannel(ctx.db, id),
  permits: (actor, channel) => channel.userId === actor.id,
}
