import { randomUUIDv7 } from 'node:crypto'
import type { Ctx } from '../../../context.ts'
import { notFound, Problem } from '../../../problem.ts'
import { callPlugin, PluginCallFailed, providersOf } from '../../plugins/index.ts'
import { insertEvents } from './event-store.ts'

interface Delivered {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/**
 * Receives a webhook. The provider's plugin verifies the exact bytes; each event is stored once, and
 * the objects that events name are fetched afterwards.
 */
export async function receiveWebhook(
  ctx: Ctx,
  provider: string,
  { headers, body }: Delivered,
): Promise<void> {
  const known = await providersOf(ctx, 'payment')
  if (!known.some(({ id }) => id === provider)) throw notFound('provider')
  const given = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && name !== 'cookie' && name !== 'authorization'
      ? [[name, value] as const]
      : [],
  )
  const { events } = await callPlugin(ctx, provider, 'payment.verifyWebhook', {
    headers: Object.fromEntries(given),
    bodyBase64: body.toString('base64'),
    now: ctx.now.toISOString(),
  }).catch((error: unknown) => {
    if (!(error instanceof PluginCallFailed)) throw error
    if (error.reason === 'unsupported') throw notFound('provider')
    // Senders of anything else do not learn why it was refused.
    if (error.reason === 'refused')
      throw new Problem('webhook_refused', 'The webhook was not accepted')
    throw error
  })
  await insertEvents(
    ctx.db,
    events.map(({ id, type, objects }) => ({
      ...{ id: randomUUIDv7(), provider, eventId: id, type, objects, state: 'waiting' as const },
      ...{ nextAt: ctx.now, receivedAt: ctx.now },
    })),
  )
}
