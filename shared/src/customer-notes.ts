import { z } from 'zod'

/** What a member of the staff writes down about a customer. */
export const WriteNote = z.strictObject({
  content: z
    .string()
    .trim()
    .min(1)
    .max(5_000)
    .refine((text) => !text.includes('\0'), 'must be text'),
})
export type WriteNote = z.infer<typeof WriteNote>

export const CustomerNote = z.object({
  id: z.uuid(),
  content: z.string(),
  /** Null once the author has been removed. */
  author: z.object({ id: z.uuid(), email: z.string(), name: z.string().nullable() }).nullable(),
  createdAt: z.iso.datetime(),
  editedAt: z.iso.datetime().nullable(),
})
export type CustomerNote = z.infer<typeof CustomerNote>
