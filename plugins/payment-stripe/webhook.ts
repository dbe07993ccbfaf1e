import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PaymentEvent } from '../../shared/src/plugins/payment.ts'
import type { Host } from '../sdk/index.ts'
import type { Json } from './api.ts'
import { momentOf, refOf } from './read.ts'

/** Older messages are replays. */
const TOLERANCE_SECONDS = 300

interface Given {
  readonly headers: Readonly<Record<string, string>>
  readonly bodyBase64: string
  readonly now: string
}

/**
 * The event of a webhook, if Stripe signed it recently: `t=<time>,v1=<HMAC-SHA256 of time.body>`,
 * with several `v1` while a secret is being rotated.
 */
export function verified(host: Host, { headers, bodyBase64, now }: Given): PaymentEvent {
  const body = Buffer.from(bodyBase64, 'base64')
  const parts = (headers['stripe-signature'] ?? '').split(',').map((part) => part.split('='))
  const time = Number(parts.find(([name]) => name === 't')?.[1])
  const expected = createHmac('sha256', String(host.settings.webhookSecret))
    .update(`${time}.`)
    .update(body)
    .digest()
  const isSigned = parts.some(([name, value = '']) => {
    const given = Buffer.from(value, 'hex')
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
  const age = Math.abs(Date.parse(now) / 1000 - time)
  if (!isSigned || !(age <= TOLERANCE_SECONDS))
    throw host.refusal('bad_signature', 'The webhook was not signed by Stripe, or is too old')
  const event = JSON.parse(body.toString('utf8')) as Json
  const { object } = Object(event.data) as { object?: Json }
  return {
    id: String(event.id),
    type: String(event.type),
    occurredAt: momentOf(event.created),
    objects: object ? aboutOf(object) : [],
  }
}

/** The object to fetch after an event about this one. */
function aboutOf(object: Json): PaymentEvent['objects'] {
  const kinds = { 'checkout.session': 'checkout', payment_intent: 'payment' } as const
  const type = String(object.object)
  if (Object.hasOwn(kinds, type))
    return [{ kind: kinds[type as keyof typeof kinds], ref: String(object.id) }]
  // Charges, refunds and disputes affect the payment that they belong to.
  const payment = refOf(object.payment_intent)
  return payment === null ? [] : [{ kind: 'payment', ref: payment }]
}
