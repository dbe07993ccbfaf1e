import { z } from 'zod'

/** The panels that customers, plans and subscriptions are imported from. */
export const IMPORT_PANELS = ['whmcs', 'paymenter'] as const
export type ImportPanel = (typeof IMPORT_PANELS)[number]

/** What is counted, in the order of the table. */
export const IMPORT_KINDS = [
  'plan',
  'price',
  'customer',
  'credit',
  'subscription',
  'server',
] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

/** What becomes of a record of the other panel. */
export const IMPORT_RESULTS = ['new', 'present', 'imported before', 'skipped'] as const
export type ImportResult = (typeof IMPORT_RESULTS)[number]

/** Why an import failed, if its files were not the cause. */
export const IMPORT_FAILURES = {
  ended: 'The import was ended: run it again, and it goes on',
  unexpected: 'It ended unexpectedly: run it again, and it goes on',
} as const

const count = z.int().min(0)
const kind = z.enum(IMPORT_KINDS)

/** How many records of each kind become what, and why those are skipped that are. */
export const ImportTally = z.object({
  counts: z.array(
    z.object({ kind, ...{ new: count, present: count, before: count, skipped: count } }),
  ),
  reasons: z.array(z.object({ kind, why: z.string(), count })).describe('the most frequent first'),
})
export type ImportTally = z.infer<typeof ImportTally>

/** An import from another panel, or a look at what it would do. */
export const PanelImport = ImportTally.extend({
  id: z.uuid(),
  panel: z.enum(IMPORT_PANELS),
  origin: z.string().describe('the name of the installation of the other panel'),
  isDryRun: z.boolean().describe('nothing was written'),
  invites: z.boolean().describe('customers are sent a link to choose a password'),
  state: z
    .enum(['running', 'done', 'failed', 'interrupted'])
    .describe('interrupted: it ended without a word; run again, it goes on'),
  failure: z.string().nullable().describe('why it failed'),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
})
export type PanelImport = z.infer<typeof PanelImport>
