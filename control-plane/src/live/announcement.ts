import { z } from 'zod'

/**
 * Kinds of things of which a change is announced. Each domain adds its own beside its sources (`live` of its
 * declaration).
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the domains
export interface Announcements {}
export type AnnouncementKind = keyof Announcements

/** What changed, by ids only, separated by commas: who hears it loads the rest. */
export interface Announcement {
  readonly kind: AnnouncementKind
  readonly id: string
}

const Heard = z.object({ kind: z.string(), id: z.string() })

/** What was heard on the channel; anything else that was said there is nothing to us. */
export function readAnnouncement(text: string): Announcement | undefined {
  try {
    return Heard.parse(JSON.parse(text)) as Announcement
  } catch {
    return undefined
  }
}
