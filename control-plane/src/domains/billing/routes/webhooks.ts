import { z } from 'zod'
import { post } from '../../../http/endpoint.ts'
import { bytesBody } from '../../../http/raw-body.ts'
import { billingBudgets } from '../budgets.ts'
import { receiveWebhook } from '../providers/webhook.ts'

export const paymentWebhook = post('/api/billing/webhooks/{provider}', {
  summary: 'Webhook of a payment provider; its plugin verifies the signature',
  access: { who: 'anyone', throttle: billingBudgets.paymentWebhook },
  body: bytesBody({
    maxBytes: 1_048_576,
    contentTypes: ['application/json', 'application/x-www-form-urlencoded'],
  }),
  reply: z.object({ received: z.literal(true) }),
  // A plugin verifies the signature, which takes a while.
  waits: true,
  recorded: false,
  handle: async ({ ctx, params, body, http }) => {
    await receiveWebhook(ctx, params.provider, { headers: http.request.headers, body })
    return { received: true as const }
  },
})
