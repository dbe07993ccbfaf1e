/** The status of a payment is what the last webhook carried; those of `silently` are not sent. */
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
    refund: ({ key }) => ({ ref: 're_' + key, status: 'succeeded' }),
    fetch: ({ ref }) => ({ object: { kind: 'payment', ref, currency: 'EUR', failure: null,
      metadata: { invoiceId: ref.slice(-36) }, ...said.get(ref) } }),
  },
})`
