/** Everything that customers are notified of, with the texts of notice and mail. */
export const NEWS = {
  invoice_issued: {
    ...{ type: 'invoice.issued', severity: 'info', title: 'An invoice was issued' },
    subject: 'Invoice {{ invoice }} for {{ plan }}',
    text: 'Please pay {{ amount }} by {{ until }}.',
  },
  charge_coming: {
    ...{ type: 'invoice.charge_coming', severity: 'info', title: 'An invoice will be charged' },
    subject: 'Invoice {{ invoice }} for {{ plan }} will be charged',
    text: 'We will charge {{ amount }} to your saved payment method on {{ until }}. You don’t need to do anything.',
  },
  method_expires: {
    ...{ type: 'payment_method.expires', severity: 'warn' },
    title: 'A saved payment method expires before a renewal',
    subject: 'Your payment method expires before {{ plan }} renews',
    text: 'We want to charge {{ amount }} for invoice {{ invoice }} on {{ until }}, but your saved payment method no longer works then. Save another one, or pay the invoice.',
  },
  charge_failed: {
    ...{
      type: 'invoice.charge_failed',
      severity: 'error',
      title: 'An invoice could not be charged',
    },
    subject: 'Invoice {{ invoice }} for {{ plan }} could not be charged',
    text: 'We could not charge {{ amount }} to your saved payment method. Please pay the invoice. If it is not paid by {{ until }}, {{ plan }} will be suspended.',
  },
  invoice_paid: {
    ...{ type: 'invoice.paid', severity: 'info', title: 'An invoice was paid' },
    subject: 'Invoice {{ invoice }} for {{ plan }} is paid',
    text: 'We received your payment of {{ amount }}. Thank you.',
  },
  refunded: {
    ...{ type: 'invoice.refunded', severity: 'info', title: 'A payment was refunded' },
    subject: 'Refund of {{ amount }} for {{ plan }}',
    text: 'We refunded {{ amount }} of invoice {{ invoice }}. The credit note is on your billing page.',
  },
  refunded_to_balance: {
    ...{ type: 'invoice.refunded', severity: 'info', title: 'A payment was refunded' },
    subject: '{{ amount }} for {{ plan }} is on your balance',
    text: '{{ amount }} of invoice {{ invoice }} is on your balance now and is used for your next invoices. The credit note is on your billing page. {{ reason }}',
  },
  refund_reversed: {
    ...{ type: 'invoice.refund_reversed', severity: 'warn', title: 'A refund did not arrive' },
    subject: 'The refund of {{ amount }} for {{ plan }} did not arrive',
    text: 'The refund of {{ amount }} of invoice {{ invoice }} came back to us. Write to us to say where it should go.',
  },
  payment_reminder: {
    ...{ type: 'invoice.overdue', severity: 'warn', title: 'An invoice is due or overdue' },
    subject: 'Invoice {{ invoice }} for {{ plan }} is not paid yet',
    text: '{{ amount }} is outstanding. Please pay by {{ until }}.',
  },
  trial_ending: {
    ...{ type: 'subscription.trial_ending', severity: 'info', title: 'A trial ends soon' },
    subject: 'Your trial of {{ plan }} ends soon',
    text: 'Your trial of {{ plan }} ends on {{ until }}. To keep it, pay {{ amount }} of invoice {{ invoice }} by then.',
  },
  trial_charge: {
    ...{ type: 'subscription.trial_ending', severity: 'info', title: 'A trial ends soon' },
    subject: 'Your trial of {{ plan }} ends soon',
    text: 'Your trial of {{ plan }} ends on {{ until }}. We will then charge {{ amount }} to your saved payment method, unless you cancel before.',
  },
  suspension_warning: {
    ...{ type: 'subscription.past_due', severity: 'warn', title: 'A subscription is overdue' },
    subject: '{{ plan }} will be suspended',
    text: 'Invoice {{ invoice }} of {{ amount }} is overdue. If it is not paid by {{ until }}, {{ plan }} will be suspended.',
  },
  suspended: {
    ...{ type: 'subscription.suspended', severity: 'error', title: 'A subscription was suspended' },
    subject: '{{ plan }} is suspended',
    text: 'Invoice {{ invoice }} of {{ amount }} is not paid. As soon as it is, {{ plan }} works again. Your data is kept.',
  },
  host_suspended: {
    ...{ type: 'subscription.suspended', severity: 'error', title: 'A subscription was suspended' },
    subject: 'We suspended {{ plan }}',
    text: 'We suspended {{ plan }}. The reason: “{{ reason }}” Your data is kept, and the time that you paid for stands still. Write to us if you think that this is wrong, or once it is resolved.',
  },
  host_lifted: {
    ...{ type: 'subscription.resumed', severity: 'info', title: 'A subscription goes on' },
    subject: '{{ plan }} is no longer suspended',
    text: '{{ plan }} works again. The time that it was suspended is added to what you paid for.',
  },
  extended: {
    ...{ type: 'subscription.extended', severity: 'info', title: 'A subscription got free time' },
    subject: '{{ plan }} goes on without payment until {{ until }}',
    text: 'We gave you free time for {{ plan }}: you pay nothing more for it until {{ until }}. {{ reason }}',
  },
  deletion_warning: {
    ...{ type: 'subscription.deletion_warning', severity: 'error' },
    title: 'A subscription will end for non-payment',
    subject: '{{ plan }} will end and its data will be deleted',
    text: 'Invoice {{ invoice }} of {{ amount }} is still not paid. Unless you pay it by {{ until }}, {{ plan }} ends and its data is deleted.',
  },
  activated: {
    ...{ type: 'subscription.activated', severity: 'info', title: 'A subscription began' },
    subject: '{{ plan }} is active',
    text: 'Your subscription to {{ plan }} is active. Thank you.',
  },
  changed: {
    ...{ type: 'subscription.changed', severity: 'info', title: 'A subscription was changed' },
    subject: 'Your subscription changed to {{ plan }}',
    text: 'From now on you have {{ plan }}. What you pay and when is on your billing page.',
  },
  tax_address: {
    ...{ type: 'invoice.address_needed', severity: 'warn' },
    title: 'An invoice waits for your address',
    subject: 'We need your country for the next invoice for {{ plan }}',
    text: 'The tax on your next invoice for {{ plan }} depends on where you are. Please check the address on your billing page: its country, its postal code, and your tax number if you have one.',
  },
  tax_address_reminder: {
    ...{ type: 'invoice.address_needed', severity: 'warn' },
    title: 'An invoice waits for your address',
    subject: '{{ plan }} will stop: we still need your country',
    text: 'We cannot calculate the tax on your next invoice for {{ plan }}. Please check the address on your billing page: its country, its postal code, and your tax number if you have one. Otherwise {{ plan }} stops on {{ until }}.',
  },
  tax_address_suspended: {
    ...{ type: 'subscription.suspended', severity: 'error', title: 'A subscription was suspended' },
    subject: '{{ plan }} is suspended: we need your country',
    text: 'We could not issue the invoice for {{ plan }}, because we do not know where you are. Complete the address on your billing page and pay the invoice that follows, and {{ plan }} works again. Your data is kept.',
  },
  tax_address_deletion: {
    ...{ type: 'subscription.deletion_warning', severity: 'error' },
    title: 'A subscription will end for non-payment',
    subject: '{{ plan }} will end and its data will be deleted',
    text: 'We still do not know where you are, so there is no invoice for {{ plan }} that you could pay. Complete the address on your billing page and pay the invoice that follows by {{ until }}: otherwise {{ plan }} ends and its data is deleted.',
  },
  cancel_scheduled: {
    ...{ type: 'subscription.cancel_scheduled', severity: 'info' },
    title: 'A subscription was cancelled',
    subject: '{{ plan }} is cancelled',
    text: '{{ plan }} goes on until {{ until }} and then ends. You can undo this on your billing page until then.',
  },
  server_delayed: {
    ...{ type: 'subscription.server_delayed', severity: 'warn' },
    title: 'A server that was paid could not be made yet',
    subject: 'The server of {{ plan }} could not be made yet',
    text: 'We could not make the server of {{ plan }} yet. We know about it and keep trying. If it is not there by {{ until }}, you can take back what you paid on your billing page.',
  },
  canceled: {
    ...{ type: 'subscription.canceled', severity: 'warn', title: 'A subscription ended' },
    subject: 'Your subscription to {{ plan }} ended',
    text: 'Your subscription to {{ plan }} ended. A server that came with it is kept until {{ until }} and then deleted.',
  },
} as const satisfies Record<
  string,
  { type: string; severity: string; title: string; subject: string; text: string }
>
export type News = keyof typeof NEWS

/** Texts for the host about money that moved at a provider without the host's doing. */
export const MOVED = {
  refunded_outside: '{{ amount }} of {{ invoice }} was refunded at the provider',
  refund_reversed: 'The refund of {{ amount }} of {{ invoice }} came back',
  dispute_opened: '{{ email }} disputes {{ amount }} of {{ invoice }}',
  dispute_won: 'The dispute of {{ amount }} of {{ invoice }} is over: the money stays',
  dispute_lost: 'The dispute of {{ amount }} of {{ invoice }} is lost',
  balance_dispute_lost: 'The dispute of {{ amount }} of {{ invoice }} is lost',
} as const
export type Moved = keyof typeof MOVED

export const NEXT: Readonly<Record<Moved, string>> = {
  refunded_outside: 'A credit note was issued. The subscription goes on unless you end it.',
  refund_reversed: 'Its credit note no longer counts. Ask the customer where the money should go.',
  dispute_opened: 'Answer it at the provider. Its amount cannot be refunded meanwhile.',
  dispute_won: 'A server that was off because of it may run again.',
  dispute_lost:
    'A credit note was issued. End the subscription, or lift the suspension of its server.',
  balance_dispute_lost:
    'Nothing was left of the invoice, so the balance of the customer was reduced, also below zero. End the subscription, or lift the suspension of its server.',
}
