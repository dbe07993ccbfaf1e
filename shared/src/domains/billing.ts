import { declare } from './declare.ts'

/** Subscriptions, invoices and payments. */
export const billing = declare({
  permissions: {
    'billing.view': 'See subscriptions, invoices and payments of customers',
    'billing.manage': 'Record payments, void invoices, and hold or end subscriptions',
    'billing.refund': 'Refund what customers paid',
    'billing.settings': 'Change how customers pay and what happens when they do not',
  },
  presets: {
    billing: ['billing.view', 'billing.manage', 'billing.refund', 'billing.settings'],
  },
  problems: {
    invalid_transition: { status: 409, title: 'Not possible in the present state' },
    subscription_ended: { status: 409, title: 'The subscription ended' },
    quote_expired: { status: 409, title: 'The quote expired' },
    change_blocked: { status: 409, title: 'The plan can’t be changed like this' },
    out_of_stock: { status: 409, title: 'Sold out' },
    per_customer_max: { status: 409, title: 'No more of this plan for one customer' },
    not_for_sale: { status: 409, title: 'The plan is not for sale' },
    refund_too_much: { status: 409, title: 'More than was paid' },
    tax_unavailable: { status: 503, title: 'The tax can’t be calculated now' },
    tax_address_needed: { status: 409, title: 'The address is needed for the tax' },
    webhook_refused: { status: 400, title: 'The webhook was not accepted' },
  },
})
