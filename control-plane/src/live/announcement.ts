import { z } from 'zod'

/**
 * Kinds of announced things. Each domain adds its own next to its sources (`live` of its
 * declaration).
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the domains
export interface Announcements {}
export type AnnouncementKind = keyof Announcements

/** The changed ids, separated by commas; receivers load the rest. */
export interface Announcement {
  readonly kind: AnnouncementKind
  readonly id: string
}

const Heard = z.object({ kind: z.string(), id: z.string() })

/** Parses a payload of the channel; undefined for anything that is not ours. */
export function readAnnouncement(text: string): Announcement | undefined {
  try {
    return Heard.parse(JSON.parse(text)) as Announcement
  } catch {
    return undefined
  }
}
