import { z } from 'zod'
import { DRAWN_GLYPHS } from './templates/glyphs.ts'

/** What people put on servers to tell them apart: of the server, and of one person only. */

/** One of the drawings; without one a server has the icon of its template. */
export const ServerIcon = z.enum(DRAWN_GLYPHS)

/** One word in lower case, so that a filter can name it: `tag:survival`. */
export const ServerTag = z
  .string()
  .trim()
  .toLowerCase()
  .min(1)
  .max(32)
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u,
    'must be one word of letters, digits, dots, dashes and underscores',
  )

export const MOST_TAGS = 16

/** One visible line: the name of a folder. */
export const FolderName = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[^\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+$/u, 'must be one line of visible characters')

/** Where one person keeps a server in their own list; nobody else sees it. */
export const ServerMark = z.strictObject({
  folder: FolderName.nullable(),
  favourite: z.boolean(),
})
export type ServerMark = z.infer<typeof ServerMark>

/** What is left out stays as it is. */
export const ChangeMark = ServerMark.partial()
export type ChangeMark = z.infer<typeof ChangeMark>

export const NOTES_MOST = 10_000

/** What the people of a server write down about it. */
export const ServerNotes = z.object({
  text: z.string(),
  changedAt: z.iso.datetime().nullable(),
  changedBy: z.string().nullable().describe('null if their account is gone'),
})
export type ServerNotes = z.infer<typeof ServerNotes>
