import { z } from 'zod'

export const ANNOUNCEMENT_KINDS = [
  'server',
  'server-removed',
  'node',
  'node-removed',
  'node-servers',
  'job',
  'usage',
  'session',
  'notification',
] as const
export type AnnouncementKind = (typeof ANNOUNCEMENT_KINDS)[number]

/** What changed, by id only: who hears it loads the rest. `usage` names a node whose figures came in. */
export const Announcement = z.object({
  kind: z.enum(ANNOUNCEMENT_KINDS),
  id: z.string(),
})
export type Announcement = z.infer<typeof Announcement>
