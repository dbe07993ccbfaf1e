import { z } from 'zod'
import { STYLED_KINDS } from '../notification-channels.ts'
import { LANGUAGES } from '../words/languages.ts'
import type { Methods } from './method.ts'
import { isSmallJson } from './small-json.ts'

/** More than any receiver of chats takes. */
export const MAX_STYLED_BYTES = 32 * 1024

/** A JSON object that is sent as it is. */
const StyledBody = z
  .record(z.string(), z.unknown())
  .refine((body) => isSmallJson(body, MAX_STYLED_BYTES), 'must have at most 32 KiB')
export type StyledBody = Readonly<Record<string, unknown>>

/** A notification, or several that are sent as one, as a style is told it. */
const StyledNotification = z.object({
  /** The kind of channel that it is for. */
  channel: z.enum(STYLED_KINDS),
  severity: z.enum(['info', 'warn', 'error']),
  title: z.string(),
  /** Lines of text, perhaps none. */
  body: z.string(),
  /** The address of the page of the panel that shows more. */
  link: z.string(),
  /** The server that it is about. */
  server: z.object({ id: z.string(), name: z.string() }).nullable(),
  happenedAt: z.iso.datetime(),
  /** What the texts are in. */
  language: z.enum(LANGUAGES),
  /** The name of the panel. */
  panel: z.string(),
})
export type StyledNotification = z.infer<typeof StyledNotification>

/** The method of plugins that word notifications. An error means that they are sent in the built-in style. */
export const STYLE_METHODS = {
  'notification-style.format': {
    request: StyledNotification,
    reply: z.object({ body: StyledBody }),
  },
} as const satisfies Methods
