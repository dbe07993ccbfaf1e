import { type Ctx, contextFor } from '../../../context.ts'
import { type Reader, readerOf } from '../../../moment-text.ts'
import type { Services } from '../../../services.ts'
import { findUser } from '../../customers/index.ts'
import * as deliveries from './delivery-store.ts'
import { disable, endGone } from './disable.ts'
import { mailMessage } from './mail-channel.ts'
import { digestOf, type Parcel } from './message.ts'
import type { Attempt } from './post.ts'
import { mayStillKnow } from './rights.ts'
import { send } from './send.ts'
import { sendingTo } from './sending.ts'
import { type ChannelRow, lockChannel, updateChannel } from './store.ts'
import { GIVE_UP_DAYS, nextAttempt } from './timing.ts'

/** Sends the next due message of a claimed channel. @returns the result */
export async function deliverNext(
  services: Services,
  channel: ChannelRow,
  signal: AbortSignal,
): Promise<'sent' | 'failed' | 'nothing'> {
  const ctx = contextFor(services, { kind: 'system' } as const)
  const taken = await ctx.transaction((ctx) => takeParcel(ctx, channel))
  if (!taken) {
    await deliveries.releaseChannel(services.db, channel)
    return 'nothing'
  }
  if (channel.kind === 'email') return deliverMail(ctx, channel, taken)
  const now = new Date()
  const sending = await sendingTo(services, channel, taken.parcel, now, taken.row.attempts)
  const attempt = await send(services, channel.kind, sending, signal)
  // Our own stop cut the attempt off: another instance repeats it.
  if (signal.aborted && !attempt.delivered) {
    await deliveries.releaseChannel(services.db, channel)
    return 'nothing'
  }
  await ctx.transaction((ctx) => settle(ctx, channel, taken.row, attempt))
  return attempt.delivered ? 'sent' : 'failed'
}

interface Taken {
  readonly row: Pick<deliveries.DeliveryRow, 'id' | 'attempts'>
  readonly parcel: Parcel
}

/**
 * Takes the next message, with those that are sent along with it and without those that the person
 * may no longer see.
 */
async function takeParcel(ctx: Ctx, channel: ChannelRow): Promise<Taken | undefined> {
  const rows = await deliveries.nextParcel(ctx.db, channel.id)
  const user = await findUser(ctx.db, channel.userId)
  const seen = user ? await mayStillKnow(ctx, user, rows) : []
  await deliveries.drop(
    ctx.db,
    rows.filter((row) => !seen.includes(row)).map(({ id }) => id),
  )
  const [first, ...others] = seen
  if (!first) return undefined
  const [head = first] = rows
  // The others of a repeated attempt were merged into one that the person may no longer see.
  if (head !== first) await deliveries.inherit(ctx.db, head.id, first.id)
  await deliveries.mergeInto(
    ctx.db,
    first.id,
    others.map(({ id }) => id),
  )
  const attempts = head.attempts + 1
  await deliveries.updateDelivery(ctx.db, first.id, { attempts, status: null, error: null })
  return { row: { id: first.id, attempts }, parcel: parcelOf(first, others, readerOf(user)) }
}

function parcelOf(
  { id, held, message }: deliveries.DeliveryRow,
  others: readonly deliveries.DeliveryRow[],
  { language }: Reader,
): Parcel {
  const messages = [message, ...others.map((other) => other.message)]
  if (held && others.length > 0) return digestOf(id, messages, new Date(message.at), language)
  const newest = messages.at(-1) ?? message
  return { ...newest, id, count: messages.length, language, items: [] }
}

/** Counts as sent once it is in the outbox, which makes its own attempts. */
async function deliverMail(ctx: Ctx, channel: ChannelRow, { row, parcel }: Taken) {
  await ctx.transaction(async (ctx) => {
    const messageId = await mailMessage(ctx, channel, parcel)
    await deliveries.endAttempt(ctx.db, row, {
      state: messageId === undefined ? 'failed' : 'sent',
      endedAt: ctx.now,
      answer: messageId === undefined ? null : `Handed to the outbox as ${messageId}`,
      error: messageId === undefined ? 'The host has turned this mail off' : null,
    })
    await updateChannel(ctx.db, channel.id, { lastDeliveredAt: ctx.now, failingSince: null })
  })
  await deliveries.releaseChannel(ctx.db, channel)
  return 'sent' as const
}

/** Records the result of an attempt, and its consequences for the message and its channel. */
async function settle(
  ctx: Ctx,
  channel: ChannelRow,
  row: Pick<deliveries.DeliveryRow, 'id' | 'attempts'>,
  attempt: Attempt,
): Promise<void> {
  const { status, answer, error } = attempt
  const now = new Date()
  const next = attempt.delivered
    ? undefined
    : nextAttempt(row.attempts, now, attempt.retryAfterSeconds, Math.random())
  const change = {
    status,
    answer,
    error,
    ...(attempt.delivered && ({ state: 'sent', endedAt: now } as const)),
    ...(!attempt.delivered &&
      (next ? { nextAttemptAt: next } : ({ state: 'failed', endedAt: now } as const))),
  }
  const isOurs = await deliveries.endAttempt(ctx.db, row, change)
  await deliveries.releaseChannel(ctx.db, channel, pauseAfter(attempt, now))
  if (!isOurs) return
  if (attempt.delivered)
    await updateChannel(ctx.db, channel.id, { lastDeliveredAt: now, failingSince: null })
  else await noteFailure(ctx, channel.id, attempt, now)
}

/** A receiver that asks us to wait gets no other message meanwhile, for an hour at most. */
const pauseAfter = ({ delivered, status, retryAfterSeconds = 0 }: Attempt, now: Date) =>
  !delivered && (status === 429 || status === 503) && retryAfterSeconds > 0
    ? new Date(now.getTime() + Math.min(retryAfterSeconds, 3600) * 1000)
    : null

async function noteFailure(ctx: Ctx, id: string, attempt: Attempt, now: Date): Promise<void> {
  const channel = await lockChannel(ctx.db, id)
  if (channel?.state !== 'active') return
  const since = channel.failingSince ?? now
  await updateChannel(ctx.db, id, { failingSince: since })
  const reason = attempt.error ?? 'It did not take the message'
  if (attempt.gone) await endGone(ctx, channel, reason)
  else if (now.getTime() - since.getTime() >= GIVE_UP_DAYS * 86_400_000)
    await disable(ctx, channel, 'failing', reason)
}
