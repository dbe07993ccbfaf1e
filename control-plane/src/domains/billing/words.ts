import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** Notifications to staff, and texts on invoices and credit notes beside those of the host. */
export const t = catalogue(
  {
    refundFailed: 'The refund of {number} to {email} did not succeed',
    eventGivenUp: 'A report of {provider} could not be taken over',
    eventGivenUpBody:
      '{type}: {why}. It is not tried again by itself. Have it looked at once more when the cause is gone.',
    notBackedUp: 'The server {server} of {email} could not be backed up before its deletion',
    notProvisioned: 'The server of {email} ({plan}) could not be created',

    // Lines
    setup: 'Setup',
    restOfPlan: 'Rest of the present plan',
    tax: '{name} {percent}%',
    taxOf: '{tax} ({jurisdiction})',
    taxStuck: 'An invoice of {email} ({plan}) waits for its tax',
    taxUnrecorded: '{number} of {email} is not recorded by the provider of tax',
    taxNumber: 'Tax number: {number}',
    toBalance: 'Added to your balance',
    fromBalance: 'Paid from your balance',

    // Papers
    invoice: 'Invoice',
    creditNote: 'Credit note',
    description: 'Description',
    amount: 'Amount',
    issued: 'Issued',
    due: 'Due',
    paid: 'Paid',
    period: '{from} to {to}',
    net: 'Net',
    total: 'Total',
    amountPaid: 'Paid',
    leftToPay: 'Left to pay',
    isVoid: 'This invoice is void: nothing is owed for it.',
    isPaid: 'This invoice is paid. Thank you.',
    reference: 'Name {number} as the reference of your payment.',
    forInvoice: 'For invoice',
    ofDay: 'Of',
    refundOf: 'Refund: {plan}',
    wentBack:
      '{way, select, provider {The amount goes back the way it was paid.} host {The amount was returned to you.} dispute {The amount went back through your bank, after a dispute.} other {The amount is on your balance and is used for your next invoices.}}',
    reversed: 'This credit note no longer counts: the amount could not be returned.',
    notCreated: 'The server could not be created',
    changedLate:
      'The money arrived after the period had ended. The next invoice charges the new plan from that day on.',
  },
  { de: () => import('./words.de.ts') },
)
