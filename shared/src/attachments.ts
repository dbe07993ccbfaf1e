import { z } from 'zod'

/** What has a preview. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const
/** What may be attached to a message; the server finds the type out from the content. */
export const ATTACHMENT_TYPES = [
  ...PICTURE_TYPES,
  'application/pdf',
  'application/zip',
  'application/gzip',
  'video/mp4',
  'video/webm',
  'text/plain',
] as const
const MIB = 1024 * 1024
export const MAX_ATTACHMENT_BYTES = 64 * MIB
export const MAX_ATTACHMENTS = 5
/** Of the files of one message of a ticket together, and of all files of a ticket. */
export const MAX_MESSAGE_FILES_BYTES = 100 * MIB
export const MAX_TICKET_FILES_BYTES = 200 * MIB
/** Of what an account has uploaded, or is uploading, and did not send yet. */
export const MAX_UNSENT_BYTES = 200 * MIB

/**
 * What scanners say of a file: `none` if there was none when it came, `unscanned` if none answered and
 * files may pass then.
 */
export const ATTACHMENT_SCANS = ['none', 'waiting', 'clean', 'infected', 'unscanned'] as const

/** How far the preview of a picture is; `none` of other files, and of pictures nobody may see yet. */
export const PREVIEW_STATES = ['waiting', 'made', 'impossible'] as const

/** A small copy of a picture, drawn anew: the file itself is only ever downloaded. */
export const AttachmentPreview = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['none', 'waiting', 'impossible']) }),
  z.object({
    state: z.literal('made'),
    width: z.int().describe('pixels'),
    height: z.int().describe('pixels'),
  }),
])
/** What is asked of a file: itself or its preview. */
export const AttachmentForm = z.object({
  preview: z
    .enum(['true', 'false'])
    .default('false')
    .describe('a small copy of a picture instead, as WebP'),
})

/** A file that came with a message. */
export const Attachment = z.object({
  id: z.uuid(),
  name: z.string(),
  type: z.enum(ATTACHMENT_TYPES),
  sizeBytes: z.int(),
  scan: z.enum(ATTACHMENT_SCANS).describe('`waiting` and `infected` files cannot be downloaded'),
  scanWhy: z.string().nullable().describe('what a scanner found'),
  preview: AttachmentPreview,
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

/** How a file is uploaded. */
export const AttachmentUpload = z.object({
  name: AttachmentName,
  beside: z
    .string()
    .max(200)
    .default('')
    .transform((ids) => (ids === '' ? [] : ids.split(',')))
    .pipe(z.array(z.uuid()).max(MAX_ATTACHMENTS))
    .describe(
      'ids of the files of the same message, with commas: one of the same bytes is answered instead',
    ),
})
