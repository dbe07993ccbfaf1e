import { z } from 'zod'

const at = z.iso.datetime()

/** Who may calculate tax, what is not issued yet because its tax is not known, and what is not recorded. */
export const TaxState = z.object({
  providers: z.array(z.object({ id: z.string(), name: z.string() })),
  waiting: z.array(
    z.object({
      ...{ subscriptionId: z.uuid(), userId: z.uuid(), email: z.string(), planName: z.string() },
      since: at,
      tries: z.int(),
      nextAt: at.nullable(),
      failure: z.string().describe('what the plugin said'),
      needsAddress: z.boolean().describe('the customer has to say where they are'),
    }),
  ),
  waitingCount: z.int().describe('of which the first hundred are shown'),
  unrecorded: z
    .array(
      z.object({
        ...{ id: z.uuid(), invoiceId: z.uuid(), number: z.string(), email: z.string() },
        kind: z
          .enum(['sale', 'reversal'])
          .describe('the invoice itself, or what is given back of it'),
        reference: z.string().describe('by what the provider of tax is to find it'),
        at,
        tries: z.int(),
        nextAt: at.nullable().describe('null if it was given up'),
        failure: z.string().describe('what the plugin said'),
      }),
    )
    .describe('what the plugin should have recorded and did not'),
  unrecordedCount: z.int().describe('of which the first hundred are shown'),
})
export type TaxState = z.infer<typeof TaxState>
