import { BillingAddress, EditBillingAddress } from '@lodge/shared/billing/billing.ts'
import { get, put } from '../../../http/endpoint.ts'
import { panelName } from '../../auth/index.ts'
import { readSettings } from '../../settings/index.ts'
import { readableInvoice } from '../access.ts'
import { addressOf, storeAddress } from '../address-store.ts'
import { billingBudgets } from '../budgets.ts'
import { paperOfInvoice } from '../pdf/invoice-paper.ts'
import { sendPaper } from '../pdf/send.ts'
import { billingSettings } from '../settings.ts'
import { lookAtWaiting } from '../tax/wait-store.ts'

export const printInvoice = get('/api/billing/invoices/{id}/pdf', {
  summary: 'An invoice as PDF, for its customer and the host',
  access: {
    ...{ who: 'user', on: readableInvoice, whileSuspended: 'signed-in' },
    throttle: billingBudgets.paper,
  },
  streams: 'application/pdf',
  handle: async ({ ctx, invoice, http }) => {
    const name = await ctx.catalogue.answers.to(panelName)(ctx.db)
    const { instructions } = await readSettings(ctx.db, billingSettings)
    await sendPaper(http.reply, paperOfInvoice(invoice, { panelName: name, instructions }))
  },
})

export const setAddress = put('/api/billing/address', {
  summary: 'Where one’s next invoices are addressed to and taxed',
  access: { who: 'user', whileSuspended: 'signed-in' },
  body: EditBillingAddress,
  reply: BillingAddress,
  recorded: 'changed their address on invoices',
  handle: async ({ ctx, body }) => {
    await storeAddress(ctx.db, ctx.actor.id, body)
    // Invoices that waited for the address can go on.
    await lookAtWaiting(ctx.db, ctx.now, ctx.actor.id)
    return addressOf(ctx.db, ctx.actor.id)
  },
})
