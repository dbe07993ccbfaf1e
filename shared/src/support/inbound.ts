import { z } from 'zod'

/** API schemas of mail that comes in to the support desk. */

/** A bridge sends one mail at a time; with its files it is at most this large. */
export const MAX_MAIL_BYTES = 30 * 1024 * 1024
export const MAX_MAIL_ATTACHMENTS = 50

const address = z.string().trim().toLowerCase().max(254).pipe(z.email('is not an e-mail address'))

const settings = {
  enabled: z.boolean(),
  address: address.nullable().describe('to which people write, such as support@example.com'),
  opensTickets: z.boolean().describe('mail that answers nothing opens a ticket'),
}
export const InboundSettings = z.object({
  ...settings,
  hasSecret: z.boolean(),
  formerSecretUntil: z.iso
    .datetime()
    .nullable()
    .describe('how long the secret before the present one is still taken'),
  smtpPort: z.int().nullable().describe('where the panel itself receives mail; null: nowhere'),
})
export type InboundSettings = z.infer<typeof InboundSettings>

/** What is left out stays. */
export const EditInboundSettings = z.strictObject({
  enabled: settings.enabled,
  address: settings.address.optional(),
  opensTickets: settings.opensTickets.optional(),
})
export type EditInboundSettings = z.infer<typeof EditInboundSettings>

const line = z.string().max(998)
const verdict = z.string().max(40).optional()
/** A mail as a bridge sends it that has taken it apart. */
export const BridgedMail = z.object({
  messageId: line.optional(),
  from: z.string().max(1000),
  to: z.array(z.string().max(1000)).max(200).default([]),
  cc: z.array(z.string().max(1000)).max(200).default([]),
  subject: z.string().max(4000).default(''),
  text: z.string().default(''),
  html: z.string().optional(),
  inReplyTo: line.optional(),
  references: z.array(line).max(200).default([]),
  headers: z.record(z.string().max(200), z.string().max(20_000)).default({}),
  auth: z
    .object({ spf: verdict, dkim: verdict, dmarc: verdict })
    .default({})
    .describe('what the bridge found out about the sender'),
  attachments: z
    .array(z.object({ name: z.string().max(1000), type: z.string().max(200), base64: z.base64() }))
    .max(MAX_MAIL_ATTACHMENTS)
    .default([]),
})
export type BridgedMail = z.infer<typeof BridgedMail>

export const MAIL_RESULTS = ['accepted', 'held', 'duplicate', 'ignored'] as const
export type MailResult = (typeof MAIL_RESULTS)[number]
