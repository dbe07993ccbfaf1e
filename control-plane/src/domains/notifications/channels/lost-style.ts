import { builtInStyle, styleOfPlugin } from '@lodge/shared/notification-channels.ts'
import type { EventHandlers } from '../../../events/events.ts'
import { channelsOfStyle, updateChannel } from './store.ts'

/**
 * Gives channels in the style of an uninstalled plugin the built-in one, and notifies their owners: a
 * later plugin with the same id is another one, which nobody has chosen.
 */
export const styleListeners: EventHandlers = {
  'plugin.uninstalled': async (ctx, { id, name: plugin }) => {
    for (const { id: channelId, userId, name, kind } of await channelsOfStyle(
      ctx.db,
      styleOfPlugin(id),
    )) {
      await updateChannel(ctx.db, channelId, { style: builtInStyle(kind) })
      await ctx.emit('channel.style_lost', { channelId, userId, name, plugin })
    }
  },
}
