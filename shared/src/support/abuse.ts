import { z } from 'zod'
import { AttachmentName } from '../attachments.ts'

/** API schemas of public reports of abuse. */

export const ABUSE_TYPES = [
  'spam',
  'phishing',
  'malware',
  'copyright',
  'ddos',
  'csam',
  'other',
] as const
export type AbuseType = (typeof ABUSE_TYPES)[number]

/** Files that come with a report, and how large each may be. */
export const MAX_EVIDENCE = 3
export const MAX_EVIDENCE_BYTES = 10 * 1024 * 1024

export const EvidenceUpload = z.object({ name: AttachmentName })
/** A file that was uploaded for a report. */
export const Evidence = z.object({
  receipt: z.string().describe('sent with the report within the next hours'),
  name: z.string(),
  sizeBytes: z.int(),
})
export type Evidence = z.infer<typeof Evidence>

const DAY_MS = 86_400_000
/** How long ago what is reported may have happened. */
const OLDEST_MS = 365 * DAY_MS
/** How far the clock of whoever reports may be fast. */
const CLOCK_FAST_MS = 5 * 60_000

export const AbuseReport = z.strictObject({
  type: z.enum(ABUSE_TYPES),
  target: z
    .string()
    .trim()
    .min(3)
    .max(500)
    .regex(/^[^\s\p{Cc}]+$/u, 'must be an address, a name or a link')
    .describe('such as 203.0.113.7:25565, host.example.com or a link'),
  description: z.string().trim().min(20).max(5000),
  occurredAt: z.iso
    .datetime({ offset: true, error: 'is not a time' })
    .refine((at) => !(Date.parse(at) > Date.now() + CLOCK_FAST_MS), 'is in the future')
    .refine((at) => !(Date.parse(at) < Date.now() - OLDEST_MS), 'is more than 365 days ago')
    .optional()
    .describe('when it happened, with its time zone: within the last 365 days'),
  reporterEmail: z
    .string()
    .trim()
    .toLowerCase()
    .max(254)
    .refine((text) => text === '' || z.email().safeParse(text).success, 'is not an e-mail address')
    .default('')
    .describe('for questions; empty for a report without an address'),
  captcha: z.string().max(4000).optional(),
  evidence: z
    .array(z.string().max(1000))
    .max(MAX_EVIDENCE)
    .default([])
    .describe('receipts of files that were uploaded'),
})
export type AbuseReport = z.infer<typeof AbuseReport>

export const AbuseReceived = z.object({
  reference: z.string(),
  statusUrl: z
    .string()
    .describe('page that shows how far the report is and takes additions; it is not shown again'),
})
export type AbuseReceived = z.infer<typeof AbuseReceived>

/** Additions to one report. */
export const MAX_ADDITIONS = 20
export const LONGEST_ADDITION = 5000

const statusToken = z.string().min(1).max(100).describe('of the link')
export const ReportLink = z.strictObject({ token: statusToken })
export const ReportAddition = z.strictObject({
  token: statusToken,
  text: z.string().trim().min(1).max(LONGEST_ADDITION),
})
export type ReportAddition = z.infer<typeof ReportAddition>

export const REPORT_STATUSES = ['received', 'in_progress', 'closed'] as const
export type ReportStatusName = (typeof REPORT_STATUSES)[number]
/** What whoever reported learns: nothing about what it is about, and nothing internal. */
export const ReportStatus = z.object({
  reference: z.string(),
  status: z.enum(REPORT_STATUSES),
  since: z.iso.datetime().describe('since when it has this status'),
  receivedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().describe('until when the link works'),
  additions: z.int().describe('how often something was added'),
  answers: z
    .array(z.object({ at: z.iso.datetime(), text: z.string() }))
    .describe('what the support wrote to whoever reported, the oldest first'),
})
export type ReportStatus = z.infer<typeof ReportStatus>

export const AbuseConfig = z.object({
  enabled: z.boolean(),
  types: z.array(z.enum(ABUSE_TYPES)),
  captcha: z.object({
    provider: z.enum(['off', 'turnstile', 'hcaptcha']).describe('that of the sign-up'),
    siteKey: z.string().nullable(),
  }),
})
export type AbuseConfig = z.infer<typeof AbuseConfig>

export const AbuseSettings = z.strictObject({
  enabled: z.boolean(),
  groupId: z.uuid().nullable().describe('group of agents who get the reports'),
})
export type AbuseSettings = z.infer<typeof AbuseSettings>
