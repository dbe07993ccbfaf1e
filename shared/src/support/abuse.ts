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
  reporterEmail: z.string().trim().toLowerCase().max(254).pipe(z.email('is not an e-mail address')),
  captcha: z.string().max(4000).optional(),
  evidence: z
    .array(z.string().max(1000))
    .max(MAX_EVIDENCE)
    .default([])
    .describe('receipts of files that were uploaded'),
})
export type AbuseReport = z.infer<typeof AbuseReport>

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
