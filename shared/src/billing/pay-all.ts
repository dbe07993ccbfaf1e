import { z } from 'zod'

/** How all open invoices are to be paid. */
export const PayAll = z.strictObject({
  provider: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('whose page or instructions; left out, the saved payment method is charged'),
  save: z
    .boolean()
    .optional()
    .describe('keep the payment method at the provider, and charge renewals with it'),
})
export type PayAll = z.infer<typeof PayAll>

/** What became of each invoice that was open. */
export const PAY_OUTCOMES = [
  /** From what the customer has in hand. */
  'paid',
  /** With the saved payment method; the invoice says how that ends. */
  'charging',
  /** It is in one of the sums below. */
  'asked',
] as const

export const PaidAll = z.object({
  invoices: z.array(
    z.object({
      id: z.uuid(),
      number: z.string(),
      currency: z.string(),
      /** What was left to pay before. */
      amount: z.int(),
      outcome: z.enum(PAY_OUTCOMES),
    }),
  ),
  /** One sum for each currency that is left to be paid by the customer. */
  sums: z.array(
    z.object({
      currency: z.string(),
      amount: z.int(),
      invoiceIds: z.array(z.uuid()),
      /** To be named with the payment. */
      reference: z.string(),
      redirectUrl: z.string().nullable(),
      /** In Markdown. */
      instructions: z.string().nullable(),
      instructionsHtml: z.string().nullable(),
      /** Why the provider cannot be paid with now. */
      failure: z.string().nullable(),
    }),
  ),
})
export type PaidAll = z.infer<typeof PaidAll>
