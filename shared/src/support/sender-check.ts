import { z } from 'zod'

/** API schemas of what was found out about who sent a mail. */

/** `temperror`: could not be found out then, which never counts as a pass. */
const CHECK_RESULTS = ['pass', 'fail', 'none', 'temperror'] as const
export type CheckResult = (typeof CHECK_RESULTS)[number]
const result = z.enum(CHECK_RESULTS)
const domain = z.string().nullable()

export const SenderCheck = z.object({
  by: z.enum(['panel', 'bridge']).describe('who found it out'),
  name: z.string().optional().describe('that the mail gives them, which nobody can check'),
  domain: domain.describe('that of the sender, in ASCII; null if it has none'),
  verified: z.boolean().describe('whether that domain vouches for the mail'),
  dkim: z.object({ result, domain: domain.describe('that signed it') }),
  spf: z.object({ result, domain: domain.describe('that sent it, by its envelope') }),
  dmarc: z.object({
    result,
    policy: z
      .enum(['none', 'quarantine', 'reject'])
      .nullable()
      .describe('what the domain asks for when it fails; null if it says nothing'),
  }),
})
export type SenderCheck = z.infer<typeof SenderCheck>

/**
 * Why a mail is held: its domain disowns it, it speaks for somebody else than its sender, its domain
 * could not be asked, or two machines may write to each other.
 */
export const HELD_REASONS = ['disowned', 'unverified_sender', 'unchecked', 'loop'] as const
export type HeldReason = (typeof HELD_REASONS)[number]
