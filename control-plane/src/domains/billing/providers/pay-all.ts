import type { PaidAll, PayAll } from '@lodge/shared/billing/pay-all.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { notFound, Problem } from '../../../problem.ts'
import { lockOwner } from '../../customers/index.ts'
import { PluginCallFailed } from '../../plugins/index.ts'
import { readSettings } from '../../settings/index.ts'
import { chargeAgain, isBeingPaid } from '../charges/charge.ts'
import { sumOf } from '../invoice-lines.ts'
import { findInvoice, type InvoiceRow } from '../invoice-store.ts'
import { keepTogether, openInvoicesOf } from '../invoice-together-store.ts'
import { payFromBalance } from '../pay.ts'
import { billingSettings } from '../settings.ts'
import { waysToPay } from '../ways-to-pay.ts'
import { askFor, type HowToPay, requireWay } from './pay-with.ts'

type Outcome = PaidAll['invoices'][number]['outcome']

/**
 * Pays all open invoices of a customer: from the balance, then by charging the saved payment method,
 * unless a provider was chosen. For the rest, begins one payment per currency. Idempotent: repeated, it
 * pays nothing twice and leads to the same pages.
 */
export async function payAll(
  ctx: Ctx<User>,
  now: Date,
  { provider, save = false }: PayAll,
  billingUrl: string,
): Promise<PaidAll> {
  if (provider !== undefined) await requireWay(ctx, { provider, save })
  const { left, ...paid } = await payByItself(ctx, now, provider === undefined)
  const ways = provider === undefined && left.length > 0 ? await waysToPay(ctx) : []
  const by = provider ?? ways[0]?.id
  const payer = { userId: ctx.actor.id, billingUrl, save: by === provider && save }
  const sums: PaidAll['sums'] = []
  for (const together of left)
    sums.push({
      ...totalOf(together),
      // What was paid by now stays paid, so this is no refusal of the whole.
      ...(ways.length > 1
        ? { ...NO_PAGE, failure: 'There are several ways to pay: choose one of them with provider' }
        : await howToPay(() =>
            by === undefined ? byTransfer(ctx) : askFor(ctx, together, { ...payer, provider: by }),
          )),
    })
  return { ...paid, sums }
}

const leftOf = ({ total, amountPaid }: InvoiceRow): number => total - amountPaid

/** Pays from the balance and begins charges, in one transaction. */
const payByItself = (ctx: Ctx<User>, now: Date, mayCharge: boolean) =>
  ctx.transaction(async (ctx) => {
    const user = await lockOwner(ctx.db, ctx.actor.id)
    if (!user) throw notFound('customer')
    const open = await openInvoicesOf(ctx.db, user.id)
    if (open.length === 0)
      throw new Problem('invalid_state', 'None of your invoices is open: nothing is left to pay')
    await payFromBalance(
      ctx,
      now,
      user,
      open.map(({ id }) => id),
    )
    const outcomes: { before: InvoiceRow; after: InvoiceRow; outcome: Outcome }[] = []
    for (const before of open) {
      const after = (await findInvoice(ctx.db, before.id)) ?? before
      // The payment of another invoice may have voided it.
      if (after.status === 'void') continue
      outcomes.push({ before, after, outcome: await outcomeOf(ctx, now, after, mayCharge) })
    }
    const asked = outcomes.filter(({ outcome }) => outcome === 'asked').map(({ after }) => after)
    const left = [...Map.groupBy(asked, ({ currency }) => currency).values()]
    for (const [lead, ...others] of left)
      if (lead)
        await keepTogether(
          ctx.db,
          lead.id,
          others.map(({ id }) => id),
        )
    return {
      invoices: outcomes.map(({ before, outcome }) => ({
        ...{ id: before.id, number: before.number, currency: before.currency },
        ...{ amount: leftOf(before), outcome },
      })),
      left,
    }
  })

async function outcomeOf(
  ctx: Ctx,
  now: Date,
  invoice: InvoiceRow,
  mayCharge: boolean,
): Promise<Outcome> {
  if (invoice.status === 'paid') return 'paid'
  const charges = mayCharge ? chargeAgain(ctx, now, invoice) : isBeingPaid(ctx, now, invoice)
  return (await charges) ? 'charging' : 'asked'
}

const NO_PAGE: HowToPay = { redirectUrl: null, instructions: null, instructionsHtml: null }

function totalOf(together: readonly InvoiceRow[]) {
  const [lead] = together
  return {
    currency: lead?.currency ?? '',
    amount: sumOf(together.map((one) => ({ amount: leftOf(one) }))),
    invoiceIds: together.map(({ id }) => id),
    reference: lead?.number ?? '',
  }
}

async function byTransfer(ctx: Ctx): Promise<HowToPay> {
  const { instructions } = await readSettings(ctx.db, billingSettings)
  return { redirectUrl: null, instructions, instructionsHtml: null }
}

/** A provider's failure for one currency does not prevent the payment of the others. */
async function howToPay(
  ask: () => Promise<HowToPay>,
): Promise<HowToPay & { failure: string | null }> {
  try {
    return { ...(await ask()), failure: null }
  } catch (error) {
    if (!(error instanceof PluginCallFailed)) throw error
    return { ...NO_PAGE, failure: error.message }
  }
}
