import { z } from 'zod'

export const ANNOUNCEMENT_KINDS = [
  'server',
  'server-removed',
  'server-access',
  'node',
  'node-removed',
  'node-servers',
  'job',
  'usage',
  'session',
  'settings',
  'notification',
  'inbox',
] as const
export type AnnouncementKind = (typeof ANNOUNCEMENT_KINDS)[number]

/** What changed, by ids only, separated by commas: who hears it loads the rest. `usage` names a node whose figures came in. */
const Announcement = z.object({
  kind: z.enum(ANNOUNCEMENT_KINDS),
  id: z.string(),
})
export type Announcement = z.infer<typeof Announcement>

/** What was heard on the channel; anything else that was said there is nothing to us. */
export function readAnnouncement(text: string): Announcement | undefined {
  try {
    return Announcement.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
