import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Language } from '@lodge/shared/words/languages.ts'
import type { Ctx } from '../../context.ts'
import {
  germanParagraphs,
  type Letters,
  letter,
  type Mail,
  paragraphs,
} from '../../events/mails.ts'
import type { Notices, NoticeTypes } from '../../events/notices.ts'
import { momentText, type Reader } from '../../moment-text.ts'
import { reasonIn, wordsFor } from '../../said-in.ts'
import type { UserRow } from '../customers/index.ts'
import { amountText } from './amount-text.ts'
import type { InvoiceRow } from './invoice-store.ts'
import { MOVED_IN_GERMAN, NEWS_IN_GERMAN, NEXT_IN_GERMAN } from './news.de.ts'
import { t } from './words.ts'

/** What a customer is told of, with the words of its notice and its mail. */
const NEWS = {
  invoice_issued: {
    ...{ type: 'invoice.issued', severity: 'info', title: 'An invoice was issued' },
    subject: 'Invoice {{ invoice }} for {{ plan }}',
    text: 'Please pay {{ amount }} until {{ until }}.',
  },
  charge_coming: {
    ...{ type: 'invoice.charge_coming', severity: 'info', title: 'An invoice will be charged' },
    subject: 'Invoice {{ invoice }} for {{ plan }} will be charged',
    text: 'We charge {{ amount }} to your saved payment method on {{ until }}. You need to do nothing.',
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
    text: 'We could not charge {{ amount }} to your saved payment method. Please pay the invoice. If it is not paid until {{ until }}, {{ plan }} will be suspended.',
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
  refund_reversed: {
    ...{ type: 'invoice.refund_reversed', severity: 'warn', title: 'A refund did not arrive' },
    subject: 'The refund of {{ amount }} for {{ plan }} did not arrive',
    text: 'The refund of {{ amount }} of invoice {{ invoice }} came back to us. Write to us to say where it should go.',
  },
  payment_reminder: {
    ...{ type: 'invoice.overdue', severity: 'warn', title: 'An invoice is due or overdue' },
    subject: 'Invoice {{ invoice }} for {{ plan }} is not paid yet',
    text: '{{ amount }} are open. Please pay until {{ until }}.',
  },
  trial_ending: {
    ...{ type: 'subscription.trial_ending', severity: 'info', title: 'A trial ends soon' },
    subject: 'Your trial of {{ plan }} ends soon',
    text: 'Your trial of {{ plan }} ends on {{ until }}. To keep it, pay {{ amount }} of invoice {{ invoice }} until then.',
  },
  suspension_warning: {
    ...{ type: 'subscription.past_due', severity: 'warn', title: 'A subscription is overdue' },
    subject: '{{ plan }} will be suspended',
    text: 'Invoice {{ invoice }} of {{ amount }} is overdue. If it is not paid until {{ until }}, {{ plan }} will be suspended.',
  },
  suspended: {
    ...{ type: 'subscription.suspended', severity: 'error', title: 'A subscription was suspended' },
    subject: '{{ plan }} is suspended',
    text: 'Invoice {{ invoice }} of {{ amount }} is not paid. As soon as it is, {{ plan }} works again. Your data is kept.',
  },
  deletion_warning: {
    ...{ type: 'subscription.deletion_warning', severity: 'error' },
    title: 'A subscription will end for want of payment',
    subject: '{{ plan }} will end and its data will be deleted',
    text: 'Invoice {{ invoice }} of {{ amount }} is still not paid. From {{ until }} on {{ plan }} ends, and its data will be deleted.',
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

/** What happened to money at its provider, without the host. */
const MOVED = {
  refunded_outside: '{{ amount }} of {{ invoice }} were refunded at the provider',
  refund_reversed: 'The refund of {{ amount }} of {{ invoice }} came back',
  dispute_opened: '{{ email }} disputes {{ amount }} of {{ invoice }}',
  dispute_won: 'The dispute of {{ amount }} of {{ invoice }} is over: the money stays',
  dispute_lost: 'The dispute of {{ amount }} of {{ invoice }} is lost',
} as const
export type Moved = keyof typeof MOVED

const NEXT: Readonly<Record<Moved, string>> = {
  refunded_outside: 'A credit note was issued. The subscription goes on unless you end it.',
  refund_reversed: 'Its credit note no longer counts. Ask the customer where the money should go.',
  dispute_opened: 'Answer it at the provider. Its amount cannot be refunded meanwhile.',
  dispute_won: 'A server that was off because of it may run again.',
  dispute_lost:
    'A credit note was issued. End the subscription, or lift the suspension of its server.',
}

interface Money {
  readonly amount: number
  readonly currency: string
}

interface Told {
  readonly userId: string
  readonly email: string
  readonly news: News
  readonly plan: string
  readonly invoice: string
  readonly amount: Money | null
  readonly until: Date | null
}

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** A customer is told something about their subscriptions and invoices. */
    'billing.told': Told
    /** A provider did not give back what the host wanted to refund. */
    'billing.refund_failed': { refundId: string; number: string; email: string; why: string }
    /** Money of an invoice moved at its provider: a refund made or reversed there, or a dispute. */
    'billing.money_moved': {
      refundId: string
      number: string
      email: string
      amount: Money
      what: Moved
      reason: string
    }
    /** What a payment provider reported could not be taken over, also not later. */
    'billing.event_given_up': { eventId: string; provider: string; type: string; why: string }
    /** An invoice waits for its tax, and that does not resolve itself. */
    'billing.tax_stuck': {
      subscriptionId: string
      /** Since when it waits. */
      since: string
      email: string
      plan: string
      why: string
    }
    /** The server of a paid subscription could not be created. */
    'billing.provisioning_failed': {
      subscriptionId: string
      email: string
      plan: string
      why: string
    }
  }
}

interface About {
  readonly plan?: string
  readonly invoice?: InvoiceRow | undefined
  /** What it is about, if not the invoice's. */
  readonly amount?: number
  readonly until?: Date | null
}

/** Tells a customer, in the transaction of what happened. */
export const tell = (
  ctx: Ctx,
  user: Pick<UserRow, 'id' | 'email'>,
  news: News,
  { plan, invoice, amount, until = null }: About,
): Promise<void> =>
  ctx.emit('billing.told', {
    ...{ userId: user.id, email: user.email, news },
    plan: plan ?? invoice?.planName ?? '',
    invoice: invoice?.number ?? '',
    amount: invoice
      ? {
          amount: amount ?? invoice.total - (news === 'invoice_paid' ? 0 : invoice.amountPaid),
          currency: invoice.currency,
        }
      : null,
    until: until ?? invoice?.dueAt ?? null,
  })

const kinds = Object.keys(NEWS) as News[]

/** The values of `told` as its reader writes times and amounts. */
const valuesFor = ({ plan, invoice, amount, until }: Told, reader: Reader) => ({
  plan,
  invoice,
  amount: amount ? amountText(amount, reader) : '',
  until: until ? momentText(until, reader) : '',
})

const newsIn = (language: Language) => (language === 'de' ? NEWS_IN_GERMAN : NEWS)

/** Fills the words of a notice as those of a mail are filled. */
const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{ (\w+) \}\}/g, (_all, name: string) => values[name] ?? '')

interface BillingMail extends Mail {
  readonly variables: { plan: string; invoice: string; amount: string; until: string }
}
const mailFor = (news: News): BillingMail => ({
  id: `billing_${news}`,
  title: NEWS[news].title,
  opens: 'billing',
  priority: 1,
  variables: {
    plan: 'Server S',
    invoice: 'INV-2026-000123',
    amount: '9.99 EUR',
    until: '22 November 2026, 09:30 UTC',
  },
  subject: NEWS[news].subject,
  body: paragraphs(NEWS[news].text, '[Open billing]({{ link }})'),
})
const mailOf = Object.fromEntries(kinds.map((news) => [news, mailFor(news)])) as Record<
  News,
  BillingMail
>

export const billingMails = kinds.map((news) => mailOf[news])

export const billingMailsInGerman = Object.fromEntries(
  kinds.map((news) => [
    mailOf[news].id,
    {
      subject: NEWS_IN_GERMAN[news].subject,
      body: germanParagraphs(NEWS_IN_GERMAN[news].text, '[Abrechnung öffnen]({{ link }})'),
    },
  ]),
)

export const billingLetters: Letters = {
  'billing.told': (told) =>
    letter(mailOf[told.news], {
      ...{ to: told.email, userId: told.userId },
      variables: (reader) => valuesFor(told, reader),
    }),
}

export const billingNoticeTypes: NoticeTypes = {
  ...Object.fromEntries(
    kinds.map((news) => {
      const { type, title, severity } = NEWS[news]
      return [type, { title, severity, group: 'account' as const }]
    }),
  ),
  'refund.failed': {
    title: 'A refund did not succeed',
    severity: 'error',
    group: 'host',
    staff: 'billing.view',
  },
  'payment.moved': {
    title: 'A payment was refunded, disputed or returned at its provider',
    severity: 'warn',
    group: 'host',
    staff: 'billing.view',
  },
  'payment.webhook_failed': {
    title: 'A report of a payment provider was given up',
    severity: 'error',
    group: 'host',
    staff: 'billing.view',
  },
  'tax.stuck': {
    title: 'An invoice waits for its tax',
    severity: 'error',
    group: 'host',
    staff: 'billing.view',
  },
  'provisioning.failed': {
    title: 'A paid server could not be created',
    severity: 'error',
    group: 'host',
    staff: 'billing.view',
  },
}

export const billingNotices: Notices = {
  'billing.told': kinds.map((news) => ({
    type: NEWS[news].type,
    to: (told) => ({ users: told.news === news ? [told.userId] : [] }),
    notice: (told, reader) => {
      const values = valuesFor(told, reader)
      const { subject, text } = newsIn(reader.language)[news]
      return {
        title: filled(subject, values),
        body: filled(text, values),
        link: panelPath('billing'),
      }
    },
  })),
  'billing.refund_failed': [
    {
      type: 'refund.failed',
      to: () => ({ staff: 'billing.view' }),
      notice: ({ refundId, number, email, why }, reader) => ({
        title: wordsFor(t, reader).refundFailed({ number, email }),
        body: reasonIn(why, reader),
        link: panelPath('invoices'),
        groupKey: `refund.failed:${refundId}`,
      }),
    },
  ],
  'billing.money_moved': [
    {
      type: 'payment.moved',
      to: () => ({ staff: 'billing.view' }),
      notice: ({ refundId, number, email, amount, what, reason }, reader) => {
        const german = reader.language === 'de'
        const next = (german ? NEXT_IN_GERMAN : NEXT)[what]
        const values = { amount: amountText(amount, reader), email, invoice: number }
        return {
          title: filled((german ? MOVED_IN_GERMAN : MOVED)[what], values),
          body: reason === '' ? next : `${reason}. ${next}`,
          link: panelPath('invoices'),
          groupKey: `payment.moved:${what}:${refundId}`,
        }
      },
    },
  ],
  'billing.event_given_up': [
    {
      type: 'payment.webhook_failed',
      to: () => ({ staff: 'billing.view' }),
      notice: ({ eventId, provider, type, why }, reader) => ({
        title: wordsFor(t, reader).eventGivenUp({ provider }),
        body: wordsFor(t, reader).eventGivenUpBody({ type, why: reasonIn(why, reader) }),
        link: panelPath('invoices'),
        groupKey: `payment.webhook_failed:${eventId}`,
      }),
    },
  ],
  'billing.tax_stuck': [
    {
      type: 'tax.stuck',
      to: () => ({ staff: 'billing.view' }),
      notice: ({ subscriptionId, since, email, plan, why }, reader) => ({
        title: wordsFor(t, reader).taxStuck({ email, plan }),
        body: reasonIn(why, reader),
        link: panelPath('subscribers'),
        groupKey: `tax.stuck:${subscriptionId}:${since}`,
      }),
    },
  ],
  'billing.provisioning_failed': [
    {
      type: 'provisioning.failed',
      to: () => ({ staff: 'billing.view' }),
      notice: ({ subscriptionId, email, plan, why }, reader) => ({
        title: wordsFor(t, reader).notProvisioned({ email, plan }),
        body: reasonIn(why, reader),
        link: panelPath('subscribers'),
        groupKey: `provisioning.failed:${subscriptionId}`,
      }),
    },
  ],
}
