import type pg from 'pg'
import { z } from 'zod'

/** PostgreSQL channel between the instances. */
export const FLEET_CHANNEL = 'lodge_fleet'

/** Relays that match all given keys; an empty match matches none. */
const Match = z.object({
  userKey: z.string().optional(),
  sessionKey: z.string().optional(),
  serverId: z.string().optional(),
  nodeId: z.string().optional(),
})
export type RelayMatch = z.infer<typeof Match>

type Queryable = Pick<pg.Pool, 'query'>

/** Announcements between instances contain ids only; the database holds the state. */
export type Announcement =
  | { readonly kind: 'desired'; readonly nodeId: string; readonly serverId: string | undefined }
  | { readonly kind: 'task'; readonly nodeId: string; readonly taskId: string }
  | { readonly kind: 'done'; readonly taskId: string }
  | { readonly kind: 'close'; readonly match: RelayMatch }
  | { readonly kind: 'opened'; readonly nodeId: string; readonly sessionId: string }
  | { readonly kind: 'drop'; readonly nodeId: string; readonly droppedBy: string }

/** Encodes as `kind:first:second`. */
export function encodeAnnouncement(announcement: Announcement): string {
  switch (announcement.kind) {
    case 'desired':
      return `desired:${announcement.nodeId}:${announcement.serverId ?? ''}`
    case 'task':
      return `task:${announcement.nodeId}:${announcement.taskId}`
    case 'done':
      return `done:${announcement.taskId}:`
    case 'close':
      return `close:${JSON.stringify(announcement.match)}`
    case 'opened':
      return `opened:${announcement.nodeId}:${announcement.sessionId}`
    case 'drop':
      return `drop:${announcement.nodeId}:${announcement.droppedBy}`
  }
}

export function decodeAnnouncement(payload: string): Announcement | undefined {
  const [kind, first = '', second = ''] = payload.split(':')
  if (kind === 'desired') return { kind, nodeId: first, serverId: second || undefined }
  if (kind === 'task') return { kind, nodeId: first, taskId: second }
  if (kind === 'done') return { kind, taskId: first }
  if (kind === 'opened') return { kind, nodeId: first, sessionId: second }
  if (kind === 'drop') return { kind, nodeId: first, droppedBy: second }
  if (kind === 'close') return { kind, match: decodeMatch(payload.slice('close:'.length)) }
  return undefined
}

/** Anything malformed matches nothing. */
function decodeMatch(text: string): RelayMatch {
  try {
    return Match.parse(JSON.parse(text))
  } catch {
    return {}
  }
}

export async function announce(
  pool: Queryable,
  ...announcements: readonly Announcement[]
): Promise<void> {
  await pool.query({
    name: 'fleet-announce',
    text: 'select pg_notify($1, word) from unnest($2::text[]) word',
    values: [FLEET_CHANNEL, announcements.map(encodeAnnouncement)],
  })
}
