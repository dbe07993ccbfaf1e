import type { Invoice, Subscription } from '@lodge/shared/billing/billing.ts'
import type { Tone } from '@lodge/shared/theme/tokens.ts'
import { toneOf, wordOf } from '../../ui/data/known.ts'
import { Pill } from '../../ui/data/status.tsx'
import { t } from './words.ts'

const TONES: Record<Subscription['status'], Tone> = {
  incomplete: 'pend',
  trialing: 'info',
  active: 'ok',
  past_due: 'warn',
  suspended: 'err',
  canceled: 'idle',
  expired: 'idle',
}

const WORDS: Record<Subscription['status'], () => string> = {
  incomplete: () => t.incomplete,
  trialing: () => t.trialing,
  active: () => t.active,
  past_due: () => t.pastDue,
  suspended: () => t.suspended,
  canceled: () => t.canceled,
  expired: () => t.expired,
}

/** Every status of a subscription, with its word. */
export const subscriptionStatuses = () =>
  Object.entries(WORDS).map(([value, word]) => ({ value, label: word() }))

export const SubscriptionPill = ({ status }: Pick<Subscription, 'status'>) => (
  <Pill tone={toneOf(TONES, status)}>{wordOf(WORDS, status)}</Pill>
)

/** The state of an invoice; an open one past its due date is overdue. */
export function InvoicePill({
  invoice,
}: {
  invoice: Pick<Invoice, 'status' | 'dueAt' | 'amountRefunded' | 'refundable' | 'charge'>
}) {
  if (invoice.status === 'paid' && invoice.amountRefunded > 0)
    return <Pill tone="idle">{invoice.refundable > 0 ? t.partlyRefunded : t.refunded}</Pill>
  if (invoice.status === 'paid') return <Pill tone="ok">{t.paid}</Pill>
  if (invoice.status === 'void') return <Pill tone="idle">{t.voided}</Pill>
  if (invoice.charge?.state === 'charging') return <Pill tone="pend">{t.charging}</Pill>
  const late = Date.parse(invoice.dueAt) < Date.now()
  return late ? <Pill tone="warn">{t.overdue}</Pill> : <Pill tone="pend">{t.open}</Pill>
}
