import type pg from 'pg'

/** PostgreSQL channel between the instances. */
export const FLEET_CHANNEL = 'lodge_fleet'

type Queryable = Pick<pg.Pool, 'query'>

/** Announcements between instances contain ids only; the database holds the state. */
export type Announcement =
  | { readonly kind: 'desired'; readonly nodeId: string; readonly serverId: string | undefined }
  | { readonly kind: 'task'; readonly nodeId: string; readonly taskId: string }
  | { readonly kind: 'done'; readonly taskId: string }
  | { readonly kind: 'opened'; readonly nodeId: string; readonly sessionId: string }
  /** What the node opened with a credential of an earlier epoch ends; everything if it has none. */
  | { readonly kind: 'drop'; readonly nodeId: string; readonly epoch: number | undefined }

/** Encodes as `kind:first:second`. */
export function encodeAnnouncement(announcement: Announcement): string {
  switch (announcement.kind) {
    case 'desired':
      return `desired:${announcement.nodeId}:${announcement.serverId ?? ''}`
    case 'task':
      return `task:${announcement.nodeId}:${announcement.taskId}`
    case 'done':
      return `done:${announcement.taskId}:`
    case 'opened':
      return `opened:${announcement.nodeId}:${announcement.sessionId}`
    case 'drop':
      return `drop:${announcement.nodeId}:${announcement.epoch ?? ''}`
  }
}

export function decodeAnnouncement(payload: string): Announcement | undefined {
  const [kind, first = '', second = ''] = payload.split(':')
  if (kind === 'desired') return { kind, nodeId: first, serverId: second || undefined }
  if (kind === 'task') return { kind, nodeId: first, taskId: second }
  if (kind === 'done') return { kind, taskId: first }
  if (kind === 'opened') return { kind, nodeId: first, sessionId: second }
  if (kind === 'drop') return { kind, nodeId: first, epoch: second ? Number(second) : undefined }
  return undefined
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
