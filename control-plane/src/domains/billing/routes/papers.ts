import { BillingAddress } from '@lodge/shared/billing/billing.ts'
import { get, put } from '../../../http/endpoint.ts'
import { panelName } from '../../auth/index.ts'
import { readableInvoice } from '../access.ts'
import { storeAddress } from '../address-store.ts'
import { billingBudgets } from '../budgets.ts'
import { paperOfInvoice } from '../pdf/invoice-paper.ts'
import { sendPaper } from '../pdf/send.ts'

export const printInvoice = get('/api/billing/invoices/{id}/pdf', {
  summary: 'An invoice as PDF, for its customer and the host',
  access: {
    ...{ who: 'user', on: readableInvoice, whileSuspended: 'signed-in' },
    throttle: billingBudgets.paper,
  },
  streams: 'application/pdf',
  handle: async ({ ctx, invoice, http }) => {
    const name = await ctx.catalogue.answers.to(panelName)(ctx.db)
    await sendPaper(http.reply, paperOfInvoice(invoice, name))
  },
})

export const setAddress = put('/api/billing/address', {
  summary: 'Where one’s next invoices are addressed to',
  access: { who: 'user', whileSuspended: 'signed-in' },
  body: BillingAddress,
  reply: BillingAddress,
  recorded: 'changed their address on invoices',
  handle: async ({ ctx, body }) => {
    await storeAddress(ctx.db, ctx.actor.id, body.address)
    return body
  },
})
