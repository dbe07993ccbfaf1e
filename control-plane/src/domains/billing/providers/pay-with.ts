import type { Ctx } from '../../../context.ts'
import { renderMarkdown } from '../../../markdown.ts'
import { Problem } from '../../../problem.ts'
import { callPlugin } from '../../plugins/index.ts'
import type { InvoiceRow } from '../invoice-store.ts'
import { waysToPay } from '../ways-to-pay.ts'

/**
 * Where or how an open invoice is paid with a provider.
 * @param billingUrl where the buyer comes back to, which shows what was paid
 */
export async function payWith(
  ctx: Ctx,
  invoice: InvoiceRow,
  provider: string,
  billingUrl: string,
): Promise<{
  redirectUrl: string | null
  instructions: string | null
  instructionsHtml: string | null
}> {
  if (invoice.status !== 'open')
    throw new Problem('invalid_state', 'This invoice is not open: nothing is left to pay')
  if (!(await waysToPay(ctx)).some(({ id }) => id === provider))
    throw new Problem('invalid_state', 'This way to pay is not available: choose another')
  const amountDue = invoice.total - invoice.amountPaid
  const { redirectUrl, instructions } = await callPlugin(ctx, provider, 'payment.payInvoice', {
    invoice: {
      ...{ id: invoice.id, number: invoice.number, currency: invoice.currency, amountDue },
      ...{ dueAt: invoice.dueAt.toISOString(), customerRef: null },
    },
    ...{ successUrl: billingUrl, cancelUrl: billingUrl },
    metadata: { invoiceId: invoice.id },
    key: `invoice:${invoice.id}:${amountDue}`,
  })
  const instructionsHtml = instructions === null ? null : renderMarkdown(instructions)
  return { redirectUrl, instructions, instructionsHtml }
}
