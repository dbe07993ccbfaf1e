import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PaidPayment } from '../../../../shared/src/plugins/payment.ts'
import type { Plugin } from '../../index.ts'

const ADDRESS = 'https://api.pay.example.com/v1'
const STATUSES: Readonly<Record<string, PaidPayment['status']>> = {
  ...{ open: 'processing', paid: 'succeeded', declined: 'failed' },
  ...{ refunded: 'refunded', disputed: 'disputed' },
}
/** An older webhook may be a replay. */
const TOLERANCE_SECONDS = 300

interface Found {
  readonly id: string
  readonly status: string
  readonly currency: string
  readonly amount: number
  readonly amountRefunded: number
  readonly error?: string
  readonly pageUrl?: string
  readonly disputes?: NonNullable<PaidPayment['disputes']>
  readonly metadata: Readonly<Record<string, string>>
}

const plugin: Plugin = ({ settings, fetch, refusal }) => {
  /** @param key idempotency key: a repeated call has one effect */
  async function ask(method: 'GET' | 'POST', path: string, body?: object, key?: string) {
    const { status, text } = await fetch(ADDRESS + path, {
      method,
      headers: {
        authorization: `Bearer ${settings.secretKey}`,
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (status === 404) return null
    // A refusal is final; any other error is retried.
    if (status >= 400 && status < 500 && status !== 429)
      throw refusal(`answer_${status}`, 'The service refused it')
    if (status >= 300) throw new Error(`The service answered with ${status}`)
    return JSON.parse(text) as Found
  }
  return {
    async health() {
      await ask('GET', '/account')
      return { ok: true, message: 'Connected' }
    },
    payment: {
      // The metadata is returned with the payment, and identifies the invoice.
      async payInvoice({ invoice, successUrl, cancelUrl, metadata, key }) {
        const { amountDue: amount, currency, number } = invoice
        const given = { amount, currency, reference: number, successUrl, cancelUrl, metadata }
        const made = await ask('POST', '/payments', given, key)
        return { ref: made?.id ?? null, redirectUrl: made?.pageUrl ?? null, instructions: null }
      },
      async refund({ paymentRef, currency, amount, key }) {
        const path = `/payments/${encodeURIComponent(paymentRef)}/refunds`
        const made = await ask('POST', path, { amount, currency }, key)
        if (!made) throw refusal('unknown_payment', 'The service does not know the payment')
        return { ref: made.id, status: made.status === 'done' ? 'succeeded' : 'pending' }
      },
      /** The source of truth: the current state of a payment, with all of its disputes. */
      async fetch({ kind, ref }) {
        const found =
          kind === 'payment' ? await ask('GET', `/payments/${encodeURIComponent(ref)}`) : null
        if (!found) return { object: null }
        const { id, currency, amount, amountRefunded, metadata } = found
        const status = STATUSES[found.status] ?? 'processing'
        return {
          object: {
            ...{ kind: 'payment', ref: id, status, currency, amount, amountRefunded },
            ...{ disputes: [...(found.disputes ?? [])], failure: found.error ?? null, metadata },
          },
        }
      },
      verifyWebhook({ headers, bodyBase64, now }) {
        const body = Buffer.from(bodyBase64, 'base64')
        const [time = '', signature = ''] = (headers['x-signature'] ?? '').split(',')
        const expected = createHmac('sha256', String(settings.webhookSecret))
          .update(`${time}.`)
          .update(body)
          .digest()
        const given = Buffer.from(signature, 'hex')
        const age = Math.abs(Date.parse(now) / 1000 - Number(time))
        if (
          given.length !== expected.length ||
          !timingSafeEqual(given, expected) ||
          !(age <= TOLERANCE_SECONDS)
        )
          throw refusal('bad_signature', 'The webhook was not signed by the service, or is too old')
        const event = JSON.parse(body.toString()) as { id: string; type: string; payment: string }
        const { id, type, payment } = event
        const objects = [{ kind: 'payment' as const, ref: payment }]
        return { events: [{ id, type, occurredAt: now, objects }] }
      },
    },
  }
}
export default plugin
