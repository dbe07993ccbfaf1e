import { z } from 'zod'

/** API schemas of the reports of usage that an installation sends if its owner agrees. */

/**
 * The version of the notice that people agree to. Raise it when a report contains something new:
 * nothing is sent until somebody has agreed again.
 */
export const USAGE_NOTICE_VERSION = 1

/** How often a report is sent, days. */
export const USAGE_REPORT_DAYS = 7

/** What keys and secrets of code-hosting services look like. No field here may hold one. */
const SECRET = /gh[opsur]_|github_pat_|glpat-|-----BEGIN|client_?secret|private_?key/i
const isNoSecret = (text: string): boolean => !SECRET.test(text)
const NO_SECRET =
  'looks like a secret. Enter only public values: a secret that was typed here should be replaced'

/** 32 bytes in base64, as an X25519 public key has them. */
function isPublicKey(text: string): boolean {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) return false
  // The last character carries only two bits.
  return 'AEIMQUYcgkosw048'.includes(text.charAt(42))
}

/** Where reports go, and who may read them. All three are public. */
export const UsageConfig = z.strictObject({
  /** `owner/name` of the repository that takes them in. */
  repository: z
    .string()
    .trim()
    .max(140)
    .refine(isNoSecret, NO_SECRET)
    .regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[A-Za-z0-9._-]{1,100}$/, 'must be like owner/name'),
  /** Of the application that posts them. */
  clientId: z
    .string()
    .trim()
    .max(100)
    .refine(isNoSecret, NO_SECRET)
    .regex(/^[A-Za-z0-9._-]{8,100}$/, 'must be the client id of the application'),
  /** X25519; only who has its other half can read a report. */
  publicKeyBase64: z
    .string()
    .trim()
    .max(200)
    .refine(isNoSecret, NO_SECRET)
    .refine(isPublicKey, 'must be a public key of 32 bytes in base64'),
})
export type UsageConfig = z.infer<typeof UsageConfig>

export const UsageConsent = z.strictObject({
  consent: z.boolean(),
  /** The notice that was read. */
  noticeVersion: z.int().min(1).max(1_000_000),
})
export type UsageConsent = z.infer<typeof UsageConsent>

/** How many there are, so that no installation can be told by its exact size. */
export const USAGE_BUCKETS = ['0', '1-9', '10-49', '50-199', '200+'] as const
const Bucket = z.enum(USAGE_BUCKETS)

/** A report, exactly as it is sealed and sent. */
export const UsageReport = z.object({
  /** Random, and new whenever somebody agrees. */
  installation: z.uuid(),
  lodge: z.string(),
  node: z.string(),
  system: z.string(),
  postgresql: z.int(),
  nodes: Bucket,
  containerServers: Bucket,
  virtualMachines: Bucket,
  customers: Bucket,
  templates: z.object({ builtin: Bucket, custom: Bucket }),
  features: z.array(z.string()),
  /** Of the last seven days, by kind of job; kinds with fewer than ten are left out. */
  jobs: z.array(z.object({ kind: z.string(), failedPercent: z.int() })),
})
export type UsageReport = z.infer<typeof UsageReport>

export const USAGE_STATES = [
  'off',
  'consented',
  'connecting',
  'connected',
  'error',
  'revoked',
] as const

/** A code that a person enters at the service, RFC 8628. */
export const UsageChallenge = z.object({
  userCode: z.string(),
  verificationUri: z.string(),
  expiresAt: z.iso.datetime(),
  intervalSeconds: z.int(),
})
export type UsageChallenge = z.infer<typeof UsageChallenge>

const SentReport = z.object({
  id: z.uuid(),
  state: z.enum(['queued', 'sent', 'dropped']),
  attempts: z.int(),
  createdAt: z.iso.datetime(),
  sentAt: z.iso.datetime().nullable(),
  nextAttemptAt: z.iso.datetime().nullable(),
  failure: z.string().nullable(),
  report: UsageReport,
})

export const UsageStanding = z.object({
  state: z.enum(USAGE_STATES),
  noticeVersion: z.int(),
  consent: z.object({ noticeVersion: z.int(), by: z.string(), at: z.iso.datetime() }).nullable(),
  config: UsageConfig.nullable(),
  /** The public name under which reports are posted. */
  account: z.string().nullable(),
  challenge: UsageChallenge.nullable(),
  /** Why nothing is sent, in a sentence; null if nothing is wrong. */
  failure: z.string().nullable(),
  nextReportAt: z.iso.datetime().nullable(),
  /** What would be sent now. */
  preview: UsageReport,
  reports: z.array(SentReport),
})
export type UsageStanding = z.infer<typeof UsageStanding>

export const UsagePoll = z.object({
  outcome: z.enum(['pending', 'slow_down', 'denied', 'expired', 'connected']),
  /** When asking again makes sense; null once it does not. */
  retryAfterSeconds: z.int().nullable(),
})
export type UsagePoll = z.infer<typeof UsagePoll>

/** As it is stored, with the secrets encrypted. */
export const StoredUsage = z.strictObject({
  config: UsageConfig.nullable(),
  consent: z
    .strictObject({
      noticeVersion: z.int(),
      by: z.string(),
      at: z.iso.datetime(),
      installation: z.uuid(),
    })
    .nullable(),
  challenge: UsageChallenge.extend({
    /** Encrypted: whoever has it gets the token. */
    deviceCode: z.string(),
    askAgainAt: z.iso.datetime(),
  }).nullable(),
  connection: z
    .strictObject({ token: z.string(), account: z.string(), since: z.iso.datetime() })
    .nullable(),
  failure: z.string().nullable(),
  revoked: z.boolean(),
  nextReportAt: z.iso.datetime().nullable(),
  /** The newest first. */
  reports: z.array(SentReport),
})
export type StoredUsage = z.infer<typeof StoredUsage>
