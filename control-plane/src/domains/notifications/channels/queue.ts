import { randomUUIDv7 } from 'node:crypto'
import type { AdminPermission } from '@lodge/shared/permissions.ts'
import type { Ctx } from '../../../context.ts'
import type { Db } from '../../../db/database.ts'
import { insertDelivery } from './delivery-store.ts'
import type { Message } from './message.ts'
import { type ChannelRow, findChannel, subscribersOf } from './store.ts'
import { heldUntil } from './timing.ts'

/**
 * Queues messages for the channels of these people, in the caller's transaction.
 * @param messages by person
 * @param about with the permission that made them recipients, if there was one
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

/** A webhook that accepts messages. */
export async function findWebhook(db: Db, id: string): Promise<ChannelRow | undefined> {
  const channel = await findChannel(db, id)
  return channel?.kind === 'webhook' && channel.state === 'active' ? channel : undefined
}

/**
 * Queues a message for one channel that is named directly rather than through its subscriptions: for
 * now, and never gathered with others.
 * @param needs what its owner must still be allowed to see when it is sent
 */
export const queueForChannel = (
  { db }: Ctx,
  channelId: string,
  message: Message,
  needs: AdminPermission,
): Promise<void> => {
  const id = randomUUIDv7()
  return insertDelivery(db, {
    ...{ id, channelId, message, burstKey: id, serverId: message.server?.id ?? null, needs },
    heldUntil: undefined,
  })
}
