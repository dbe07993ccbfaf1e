const OFFER = { planId: '0b120000-0000-7000-8000-000000000002', cycle: 'monthly' }

/** Queries of endpoints whose schemas do not say enough. */
export const QUERIES: Readonly<Record<string, object>> = {
  'DELETE /api/nodes/{id}/storage-copies/{serverId}': { confirm: 'true' },
  'GET /api/cron/preview': { cron: '30 4 * * *' },
  'GET /api/billing/preview-change': {
    ...{ ...OFFER, subscriptionId: '0b120000-0000-7000-8000-000000000001' },
  },
  'GET /api/billing/subscriptions/{id}/preview-change': OFFER,
  'GET /api/store/preview-checkout': OFFER,
  'POST /api/suspension/attachments': { name: 'proof.txt' },
  'POST /api/support/tickets/{id}/attachments': { name: 'proof.txt' },
  'POST /api/customers/{id}/suspension/attachments': { name: 'proof.txt' },
  'POST /api/support/abuse/evidence': { name: 'proof.txt' },
}
