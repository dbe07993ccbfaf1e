import type { Subscription, WayToPay } from '@lodge/shared/billing/billing.ts'
import { type Charged, whyNotCharged } from './charges/charge-again.ts'
import type { ProviderCustomer } from './charges/customer-store.ts'
import type { InvoiceRow } from './invoice-store.ts'

type Given = Omit<Subscription, 'actions'>

/** What the possible actions of a customer depend on, besides each subscription. */
interface About extends Charged {
  readonly open: ReadonlyMap<string | null, readonly InvoiceRow[]>
  /** Whether a provider that knows the customer has a page for them. */
  readonly hasPortal: boolean
}

/**
 * Adds a customer's possible actions to each of their subscriptions, with the reason for those that are
 * not possible.
 * @param charged what charging the open invoices depends on
 * @param known the providers that know the customer
 */
export function withActions(
  subscriptions: readonly Given[],
  open: readonly InvoiceRow[],
  charged: Charged,
  ways: readonly WayToPay[],
  known: readonly ProviderCustomer[],
): Subscription[] {
  const about: About = {
    ...charged,
    open: Map.groupBy(open, ({ subscriptionId }) => subscriptionId),
    hasPortal: ways.some(({ id, portal }) => portal && known.some((one) => one.provider === id)),
  }
  return subscriptions.map((one) => ({ ...one, actions: actionsOf(one, about) }))
}

function actionsOf(one: Given, about: About): Subscription['actions'] {
  const open = about.open.get(one.id) ?? []
  const hasOpen = open.length > 0
  return {
    cancel: unless(whyNotCancelled(one)),
    resume: unless(whyNotResumed(one)),
    change: unless(whyNotChanged(one, hasOpen)),
    pay: unless(whyNotPaid(one, hasOpen)),
    portal: unless(whyNoPortal(about)),
    retry: unless(whyNotRetried(one, open, about)),
  }
}

const unless = (reason: string | null) => ({ allowed: reason === null, reason })

const isOver = ({ status }: Given): boolean => status === 'canceled' || status === 'expired'
const isPaid = ({ status }: Given): boolean => status === 'active' || status === 'trialing'
const whyOver = 'The subscription ended'

function whyNotCancelled(one: Given): string | null {
  if (isOver(one)) return whyOver
  return one.cancelAtPeriodEnd && one.status !== 'suspended' ? 'It is cancelled already' : null
}

function whyNotResumed(one: Given): string | null {
  if (isOver(one)) return whyOver
  return one.cancelAtPeriodEnd && isPaid(one) ? null : 'There is no cancellation to undo'
}

function whyNotChanged(one: Given, hasOpen: boolean): string | null {
  if (isOver(one)) return whyOver
  if (one.price === null) return 'It costs nothing: buy another plan in the store'
  if (one.pendingChange) return 'Another change is pending'
  if (isPaid(one)) return null
  if (one.methodNeeded) return 'Save a payment method first'
  if (one.suspendedFor === 'account' || one.suspendedFor === 'admin')
    return 'It is suspended: write to your host'
  return hasOpen ? 'Pay the open invoices first' : 'Complete your billing address first'
}

const whyNoPortal = ({ hasPortal }: About): string | null =>
  hasPortal ? null : 'No payment provider has a page for you yet: save a payment method'

const whyNotPaid = (one: Given, hasOpen: boolean): string | null =>
  hasOpen && !isOver(one) ? null : 'There is no open invoice'

function whyNotRetried(one: Given, open: readonly InvoiceRow[], about: Charged): string | null {
  const none = whyNotPaid(one, open.length > 0)
  if (none !== null) return none
  const reasons = open.map((invoice) => whyNotCharged(one, invoice, about))
  return reasons.includes(null) ? null : (reasons[0] ?? null)
}
