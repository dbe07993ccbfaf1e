import { z } from 'zod'

/** What may be attached to a message; the server finds the type out from the content. */
export const ATTACHMENT_TYPES = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'application/pdf',
  'text/plain',
] as const
export const MAX_ATTACHMENT_BYTES = 8 * 1024 * 1024
export const MAX_ATTACHMENTS = 5

/** A file that came with a message. */
export const Attachment = z.object({
  id: z.uuid(),
  name: z.string(),
  type: z.enum(ATTACHMENT_TYPES),
  sizeBytes: z.int(),
})
export type Attachment = z.infer<typeof Attachment>

/** Files that were uploaded before the message was sent. */
export const AttachmentIds = z.array(z.uuid()).max(MAX_ATTACHMENTS).default([])
export const AttachmentName = z
  .string()
  .trim()
  .min(1)
  .max(120)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it refuses
  .regex(/^[^\x00-\x1f\x7f/\\]+$/, 'must be a file name')
