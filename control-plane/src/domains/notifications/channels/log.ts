import type { ChannelDelivery } from '@lodge/shared/notification-channels.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { cutPage, decodeCursor } from '../../../db/cursor.ts'
import { notFound, Problem } from '../../../problem.ts'
import * as deliveries from './delivery-store.ts'
import type { ChannelRow } from './store.ts'

const describe = (row: deliveries.DeliveryRow & { count: number }): ChannelDelivery => ({
  id: row.id,
  type: row.message.type,
  title: row.message.title,
  count: row.count,
  // Merged messages are not listed, only what they were sent with.
  state: row.state === 'merged' ? 'sent' : row.state,
  attempts: row.attempts,
  nextAttemptAt: row.state === 'queued' ? row.nextAttemptAt.toISOString() : null,
  status: row.status,
  answer: row.answer,
  error: row.error,
  createdAt: row.createdAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
})

/** What was sent to a channel, newest first. */
export async function pageOfLog(
  ctx: Ctx<User>,
  channel: ChannelRow,
  query: { readonly after?: string | undefined; readonly limit: number },
) {
  const rows = await deliveries.listDeliveries(ctx.db, channel.id, {
    after: decodeCursor(query.after),
    limit: query.limit,
  })
  const page = cutPage(rows, query.limit, ({ id }) => ['', id])
  return { ...page, items: page.items.map(describe) }
}

/** Sends a message of the log again, with the same id, so that receivers can recognise it. */
export async function resend(ctx: Ctx<User>, channel: ChannelRow, id: string): Promise<void> {
  if (channel.state !== 'active')
    throw new Problem('invalid_state', 'The channel is not active: switch it on first')
  if (await deliveries.requeueDelivery(ctx.db, channel.id, id)) return
  const present = await deliveries.findDelivery(ctx.db, id)
  if (present?.channelId !== channel.id) throw notFound('delivery')
  throw new Problem('invalid_state', 'Only a message that was sent or has failed can be sent again')
}
