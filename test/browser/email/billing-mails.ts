import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { contextFor } from '../../../control-plane/src/context.ts'
import { advanceDue } from '../../../control-plane/src/domains/billing/advance.ts'
import { type News, tell } from '../../../control-plane/src/domains/billing/news.ts'
import type { Caller } from '../../support/caller.ts'
import type { Lodge } from '../../support/stack.ts'

interface Following {
  readonly lodge: Lodge
  readonly admin: Caller
  readonly page: Page
  be(person: Caller): Promise<void>
  follow(to: string, template: string): Promise<void>
}

const DAY_MS = 86_400_000
/** Longer than a period and all dunning steps. */
const MOST_DAYS = 120
const TEMPLATES = [
  ...['billing_invoice_issued', 'billing_invoice_paid', 'billing_activated', 'billing_refunded'],
  ...['billing_payment_reminder', 'billing_suspension_warning', 'billing_suspended'],
  ...['billing_deletion_warning', 'billing_canceled', 'billing_refunded_to_balance'],
]

/** Follows the links of the mails about subscriptions and invoices, by the kind of mail. */
export function billingMails(following: () => Following): Record<string, () => Promise<void>> {
  /** A customer who bought a month, paid for it, and pays nothing afterwards. */
  async function subscriber(): Promise<Caller> {
    const { lodge, admin } = following()
    const customer = await lodge.customer()
    const plan = await admin.must('POST /api/plans', {
      body: {
        ...{ name: randomUUID(), kind: 'account', visibility: 'public' },
        prices: [{ cycle: 'monthly', amount: 1000, currency: 'EUR' }],
      },
    })
    const { invoice } = await customer.must('POST /api/store/checkout', {
      body: { planId: plan.id, cycle: 'monthly' },
    })
    await admin.must('POST /api/billing/invoices/{id}/mark-paid', {
      params: { id: invoice?.id ?? '' },
      body: { amount: 1000, reference: 'By transfer' },
    })
    await admin.must('POST /api/billing/invoices/{id}/refund', {
      params: { id: invoice?.id ?? '' },
      body: { amount: 1, way: 'host', subscription: 'keep' },
    })
    await admin.must('POST /api/billing/invoices/{id}/refund', {
      params: { id: invoice?.id ?? '' },
      body: { amount: 1, way: 'balance', subscription: 'keep' },
    })
    return customer
  }

  /** Lets days pass until the mail was sent to the customer. */
  async function written(to: Caller, template: string): Promise<void> {
    const { controlPlane, database } = following().lodge
    for (let days = 0; days < MOST_DAYS; days += 1) {
      const { rowCount } = await database.pool.query(
        'select from email_messages where user_id = $1 and template = $2',
        [to.id, template],
      )
      if (rowCount) return
      await advanceDue(controlPlane.services, new Date(Date.now() + days * DAY_MS))
    }
    throw new Error(`${template} was never written`)
  }

  async function followed(customer: Caller, template: string): Promise<void> {
    const { page, be, follow } = following()
    await be(customer)
    await follow(customer.email, template)
    await page.getByRole('heading', { level: 1, name: 'Billing', exact: true }).waitFor()
  }

  async function mailAbout(news: News): Promise<void> {
    const { lodge } = following()
    const customer = await lodge.customer()
    const ctx = contextFor(lodge.controlPlane.services, { kind: 'system' } as const)
    const until = new Date(Date.now() + DAY_MS)
    await ctx.transaction((ctx) => tell(ctx, customer, news, { plan: 'Server S', until }))
    await followed(customer, `billing_${news}`)
  }

  return {
    ...Object.fromEntries(
      TEMPLATES.map((template) => [
        template,
        async () => {
          const customer = await subscriber()
          await written(customer, template)
          await followed(customer, template)
        },
      ]),
    ),
    // Nothing here charges a renewal, calculates its tax, or returns a refund.
    billing_charge_coming: () => mailAbout('charge_coming'),
    billing_method_expires: () => mailAbout('method_expires'),
    billing_charge_failed: () => mailAbout('charge_failed'),
    billing_refund_reversed: () => mailAbout('refund_reversed'),
    billing_host_suspended: () => mailAbout('host_suspended'),
    billing_host_lifted: () => mailAbout('host_lifted'),
    billing_extended: () => mailAbout('extended'),
    billing_changed: () => mailAbout('changed'),
    billing_cancel_scheduled: () => mailAbout('cancel_scheduled'),
    billing_server_delayed: () => mailAbout('server_delayed'),
    billing_trial_ending: () => mailAbout('trial_ending'),
    billing_trial_charge: () => mailAbout('trial_charge'),
    billing_tax_address: () => mailAbout('tax_address'),
    billing_tax_address_reminder: () => mailAbout('tax_address_reminder'),
    billing_tax_address_suspended: () => mailAbout('tax_address_suspended'),
    billing_tax_address_deletion: () => mailAbout('tax_address_deletion'),
  }
}
