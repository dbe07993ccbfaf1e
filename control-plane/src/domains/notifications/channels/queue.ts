import { randomUUIDv7 } from 'node:crypto'
import type { AdminPermission } from '@lodge/shared/permissions.ts'
import type { Ctx } from '../../../context.ts'
import { insertDelivery } from './delivery-store.ts'
import type { Message } from './message.ts'
import { subscribersOf } from './store.ts'
import { heldUntil } from './timing.ts'

/**
 * Queues messages for the channels of these people, in the caller's transaction.
 * @param messages by person
 * @param about with the permission that made them recipients, if one did
 */
export async function queueForChannels(
  ctx: Ctx,
  messages: ReadonlyMap<string, Message>,
  about: {
    readonly type: string
    readonly serverId: string | null
    readonly needs: AdminPermission | null
  },
): Promise<void> {
  if (messages.size === 0) return
  const { type, serverId, needs } = about
  for (const channel of await subscribersOf(ctx.db, [...messages.keys()], type, serverId)) {
    const message = messages.get(channel.userId)
    if (!message) continue
    await insertDelivery(ctx.db, {
      id: randomUUIDv7(),
      channelId: channel.id,
      message,
      burstKey: serverId === null ? type : `${type}:${serverId}`,
      serverId,
      needs,
      heldUntil: heldUntil(channel, message.severity, channel.timeZone ?? 'UTC', ctx.now),
    })
  }
}
