import { createHash } from 'node:crypto'
import type { Ctx } from '../../../context.ts'
import { renderMarkdown } from '../../../markdown.ts'
import { Problem } from '../../../problem.ts'
import { callPlugin } from '../../plugins/index.ts'
import { isBeingCharged } from '../charges/charge.ts'
import { withMoneyOnItsWay } from '../charges/on-its-way.ts'
import { sumOf } from '../invoice-lines.ts'
import type { InvoiceRow } from '../invoice-store.ts'
import { waysToPay } from '../ways-to-pay.ts'
import { rememberPage } from './pages.ts'
import { askToSave } from './saved-methods.ts'

/** A page to go to, or instructions. */
export interface HowToPay {
  readonly redirectUrl: string | null
  readonly instructions: string | null
  readonly instructionsHtml: string | null
}

/** Who pays, and with which provider. */
export interface Payer {
  readonly userId: string | null
  readonly provider: string
  /** Where the provider sends the buyer back to, a page that shows what was paid. */
  readonly billingUrl: string
  /** Saves the payment method at the provider and charges renewals with it. */
  readonly save: boolean
}

/** Begins the payment of an open invoice with a provider. */
export async function payWith(ctx: Ctx, invoice: InvoiceRow, payer: Payer): Promise<HowToPay> {
  if (invoice.status !== 'open')
    throw new Problem('invalid_state', 'This invoice is not open: nothing is left to pay')
  await requireWay(ctx, payer)
  if (await isBeingCharged(ctx, invoice))
    throw new Problem(
      'invalid_state',
      'This invoice is being charged now: wait until that is over, so that you do not pay twice',
    )
  if ((await withMoneyOnItsWay(ctx.db, ctx.now, [invoice.id])).size > 0)
    throw new Problem(
      'invalid_state',
      'The money for this invoice is on its way: wait until it has arrived, so that you do not pay twice',
    )
  return askFor(ctx, [invoice], payer)
}

/** @throws {Problem} invalid_state if nobody can pay like this */
export async function requireWay(
  ctx: Ctx,
  { provider, save }: Pick<Payer, 'provider' | 'save'>,
): Promise<void> {
  const way = (await waysToPay(ctx)).find(({ id }) => id === provider)
  if (!way || (save && !way.autoCharge))
    throw new Problem('invalid_state', 'This way to pay is not available: choose another')
}

const leftOf = ({ total, amountPaid }: InvoiceRow): number => total - amountPaid

/**
 * Begins one payment of several open invoices with a provider, for which it is a payment of the first
 * (lead) invoice: its number is the reference.
 */
export async function askFor(
  ctx: Ctx,
  invoices: readonly InvoiceRow[],
  { userId, provider, billingUrl, save }: Payer,
): Promise<HowToPay> {
  const [lead] = invoices
  if (!lead) throw new Error('nothing is to be paid')
  const amountDue = sumOf(invoices.map((one) => ({ amount: leftOf(one) })))
  const dueAt = Math.min(...invoices.map((one) => one.dueAt.getTime()))
  const customerRef = userId === null ? null : await askToSave(ctx, userId, provider, save)
  const asked = await callPlugin(ctx, provider, 'payment.payInvoice', {
    invoice: {
      ...{ id: lead.id, number: lead.number, currency: lead.currency, amountDue },
      ...{ dueAt: new Date(dueAt).toISOString(), customerRef },
    },
    ...{ successUrl: billingUrl, cancelUrl: billingUrl, save },
    metadata: { invoiceId: lead.id },
    key: `${keyOf(invoices, amountDue)}${save ? ':save' : ''}`,
  })
  const { redirectUrl, instructions } = asked
  const ids = invoices.map(({ id }) => id)
  await rememberPage(ctx, ids, provider, asked.ref)
  const instructionsHtml = instructions === null ? null : renderMarkdown(instructions)
  return { redirectUrl, instructions, instructionsHtml }
}

/** Idempotency key: the same invoices and amounts lead to the same page. */
function keyOf([lead, ...others]: readonly InvoiceRow[], amountDue: number): string {
  const alone = `invoice:${lead?.id}:${amountDue}`
  if (others.length === 0) return alone
  const sums = others.map((one) => `${one.id}:${leftOf(one)}`).join(' ')
  return `${alone}:${createHash('sha256').update(sums).digest('hex').slice(0, 16)}`
}
