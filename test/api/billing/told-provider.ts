/**
 * The status of a payment is what the last webhook carried; those of `silently` are not sent. That of
 * `refunds` is the status of new refunds, whose calls fail with `fails`.
 */
export const TOLD_PROVIDER = `
const said = new Map()
export default (host) => ({
  payment: {
    payInvoice: () => ({ ref: 'page', redirectUrl: 'https://pay.example', instructions: null }),
    verifyWebhook({ bodyBase64 }) {
      const { silently, ref, ...payment } = JSON.parse(Buffer.from(bodyBase64, 'base64').toString())
      said.set(ref, { status: 'succeeded', amount: 1000, amountRefunded: 0, ...payment })
      const event = { id: Math.random().toString(), type: 'x.y', occurredAt: new Date().toISOString(),
        objects: [{ kind: 'payment', ref }] }
      return { events: silently ? [] : [event] }
    },
    refund({ key }) {
      const { fails, status } = said.get('refunds') ?? { status: 'succeeded' }
      if (fails) throw new Error('Nobody answers')
      return { ref: 're_' + key, status }
    },
    fetch: ({ ref }) => ({ object: { kind: 'payment', ref, currency: 'EUR', failure: null,
      metadata: { invoiceId: ref.slice(-36) }, ...said.get(ref) } }),
  },
})`
