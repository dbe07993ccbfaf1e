import type { Ctx } from '../../../context.ts'
import { renderMarkdown } from '../../../markdown.ts'
import { Problem } from '../../../problem.ts'
import { callPlugin } from '../../plugins/index.ts'
import { isBeingCharged } from '../charges/charge.ts'
import type { InvoiceRow } from '../invoice-store.ts'
import { waysToPay } from '../ways-to-pay.ts'
import { rememberPage } from './pages.ts'
import { askToSave } from './saved-methods.ts'

/**
 * Begins the payment of an open invoice with a provider: returns a page to go to, or instructions.
 * @param billingUrl where the provider sends the buyer back to, a page that shows what was paid
 * @param save saves the payment method at the provider and charges renewals with it
 */
export async function payWith(
  ctx: Ctx,
  invoice: InvoiceRow,
  provider: string,
  billingUrl: string,
  save: boolean,
): Promise<{
  redirectUrl: string | null
  instructions: string | null
  instructionsHtml: string | null
}> {
  if (invoice.status !== 'open')
    throw new Problem('invalid_state', 'This invoice is not open: nothing is left to pay')
  const way = (await waysToPay(ctx)).find(({ id }) => id === provider)
  if (!way || (save && !way.autoCharge))
    throw new Problem('invalid_state', 'This way to pay is not available: choose another')
  if (await isBeingCharged(ctx, invoice))
    throw new Problem(
      'invalid_state',
      'This invoice is being charged now: wait until that is over, so that you do not pay twice',
    )
  const customerRef =
    invoice.userId === null ? null : await askToSave(ctx, invoice.userId, provider, save)
  const amountDue = invoice.total - invoice.amountPaid
  const asked = await callPlugin(ctx, provider, 'payment.payInvoice', {
    invoice: {
      ...{ id: invoice.id, number: invoice.number, currency: invoice.currency, amountDue },
      ...{ dueAt: invoice.dueAt.toISOString(), customerRef },
    },
    ...{ successUrl: billingUrl, cancelUrl: billingUrl, save },
    metadata: { invoiceId: invoice.id },
    key: `invoice:${invoice.id}:${amountDue}${save ? ':save' : ''}`,
  })
  const { redirectUrl, instructions } = asked
  await rememberPage(ctx, [invoice.id], provider, asked.ref)
  const instructionsHtml = instructions === null ? null : renderMarkdown(instructions)
  return { redirectUrl, instructions, instructionsHtml }
}
