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
import { MOVED, type Moved, NEWS, NEXT, type News } from './news-texts.ts'
import { serverNameOf } from './subscription-store.ts'
import { t } from './words.ts'

export type { Moved, News }

interface Money {
  readonly amount: number
  readonly currency: string
}

interface NewsEvent {
  readonly userId: string
  readonly email: string
  readonly news: News
  readonly plan: string
  /** The name of the server that came with the plan, if one did. */
  readonly server?: string
  readonly invoice: string
  readonly amount: Money | null
  readonly until: Date | null
  /** What the host wrote. */
  readonly reason?: string
}

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** A customer is notified about their subscriptions or invoices. */
    'billing.told': NewsEvent
    /** A provider did not make a refund that the host had requested. */
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
    /** A report of a payment provider could not be processed, even after retries. */
    'billing.event_given_up': { eventId: string; provider: string; type: string; why: string }
    /** The tax provider did not accept an invoice or a credit for it. */
    'billing.tax_unrecorded': { recordId: string; reference: string; email: string; why: string }
    /** An invoice waits for its tax, and somebody has to act. */
    'billing.tax_stuck': {
      subscriptionId: string
      /** Since when it waits. */
      since: string
      email: string
      plan: string
      why: string
    }
    /** The server of a subscription that ended unpaid could not be backed up before its deletion. */
    'billing.last_backup_missed': {
      serverId: string
      serverName: string
      email: string
      why: string
      isDeleted: boolean
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
  /** The id of the subscription that it is about, if that is not the one of the invoice. */
  readonly subscriptionId?: string
  readonly invoice?: InvoiceRow | undefined
  /** The amount, if it is not that of the invoice. */
  readonly amount?: number
  readonly until?: Date | null
  readonly reason?: string
}

/** Notifies a customer, in the transaction of what happened. */
export async function tell(
  ctx: Ctx,
  user: Pick<UserRow, 'id' | 'email'>,
  news: News,
  { plan, subscriptionId, invoice, amount, until = null, reason = '' }: About,
): Promise<void> {
  const about = subscriptionId ?? invoice?.subscriptionId ?? null
  const server = about === null ? undefined : await serverNameOf(ctx.db, about)
  await ctx.emit('billing.told', {
    ...{ userId: user.id, email: user.email, news },
    plan: plan ?? invoice?.planName ?? '',
    ...(server !== undefined && { server }),
    invoice: invoice?.number ?? '',
    amount: invoice
      ? {
          amount: amount ?? invoice.total - (news === 'invoice_paid' ? 0 : invoice.amountPaid),
          currency: invoice.currency,
        }
      : null,
    until: until ?? invoice?.dueAt ?? null,
    reason,
  })
}

const kinds = Object.keys(NEWS) as News[]

/**
 * The values of the event, with times and amounts in the reader's format. A customer who has several servers
 * of one plan learns from the name beside it which of them it is about.
 */
const valuesFor = (
  { plan, server, invoice, amount, until, reason = '' }: NewsEvent,
  reader: Reader,
) => ({
  plan: server === undefined ? plan : `${plan} (${server})`,
  invoice,
  amount: amount ? amountText(amount, reader) : '',
  until: until ? momentText(until, reader) : '',
  reason,
})

const newsIn = (language: Language) => (language === 'de' ? NEWS_IN_GERMAN : NEWS)

/** Fills in the placeholders of a notice, in the syntax of mails. */
const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{ (\w+) \}\}/g, (_all, name: string) => values[name] ?? '')

interface BillingMail extends Mail {
  readonly variables: {
    plan: string
    invoice: string
    amount: string
    until: string
    reason: string
  }
}
const mailFor = (news: News): BillingMail => ({
  id: `billing_${news}`,
  title: NEWS[news].title,
  opens: 'billing',
  priority: 1,
  variables: {
    plan: 'Server S (lobby)',
    invoice: 'INV-2026-000123',
    amount: '9.99 EUR',
    until: '22 November 2026, 09:30 UTC',
    reason: 'Too many mails were sent from it.',
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
  'billing.told': (event) =>
    letter(mailOf[event.news], {
      ...{ to: event.email, userId: event.userId },
      variables: (reader) => valuesFor(event, reader),
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
  'tax.unrecorded': {
    title: 'An invoice is not recorded by the provider of tax',
    severity: 'error',
    group: 'host',
    staff: 'billing.view',
  },
  'last_backup.missed': {
    title: 'A server could not be backed up before its deletion',
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
    to: (event) => ({ users: event.news === news ? [event.userId] : [] }),
    notice: (event, reader) => {
      const values = valuesFor(event, reader)
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
  'billing.tax_unrecorded': [
    {
      type: 'tax.unrecorded',
      to: () => ({ staff: 'billing.view' }),
      notice: ({ recordId, reference, email, why }, reader) => ({
        title: wordsFor(t, reader).taxUnrecorded({ number: reference, email }),
        body: reasonIn(why, reader),
        link: panelPath('subscribers'),
        groupKey: `tax.unrecorded:${recordId}`,
      }),
    },
  ],
  'billing.last_backup_missed': [
    {
      type: 'last_backup.missed',
      to: () => ({ staff: 'billing.view' }),
      notice: ({ serverId, serverName, email, why, isDeleted }, reader) => ({
        title: wordsFor(t, reader).notBackedUp({ server: serverName, email }),
        body: reasonIn(why, reader),
        link: isDeleted ? panelPath('subscribers') : panelPath('server', { id: serverId }),
        groupKey: `last_backup.missed:${serverId}`,
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
