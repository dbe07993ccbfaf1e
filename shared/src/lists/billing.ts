/** Fields of the filter of the host's list of invoices. */
export const INVOICE_FIELDS = ['status', 'plan', 'currency', 'customer', 'number'] as const
export type InvoiceField = (typeof INVOICE_FIELDS)[number]

/** A status in that filter, besides those of invoices: open, and due before now. */
export const OVERDUE = 'overdue'

/** Fields of the filter of the host's list of subscriptions. */
export const SUBSCRIPTION_FIELDS = ['status', 'plan', 'currency', 'customer'] as const
export type SubscriptionField = (typeof SUBSCRIPTION_FIELDS)[number]
