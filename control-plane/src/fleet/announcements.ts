import pg from 'pg'
import type { Logger } from 'pino'
import { z } from 'zod'

const CHANNEL = 'lodge_fleet'
const NAME = 'lodge-fleet '
const PING_MS = 2_000
const PING_TIMEOUT_MS = 5_000
const MAX_WAIT_MS = 10_000

/** Relays that carry all the given keys; without a key, none. */
const Match = z.object({
  userKey: z.string().optional(),
  sessionKey: z.string().optional(),
  serverId: z.string().optional(),
  nodeId: z.string().optional(),
})
export type RelayMatch = z.infer<typeof Match>

type Queryable = Pick<pg.Pool, 'query'>

/** What the instances tell each other: ids only; the rows in the database are the truth. */
export type Announcement =
  | { readonly kind: 'desired'; readonly nodeId: string; readonly serverId: string | undefined }
  | { readonly kind: 'task'; readonly nodeId: string; readonly taskId: string }
  | { readonly kind: 'done'; readonly taskId: string }
  | { readonly kind: 'close'; readonly match: RelayMatch }
  | { readonly kind: 'opened'; readonly nodeId: string; readonly sessionId: string }
  | { readonly kind: 'drop'; readonly nodeId: string }

/** The words on the channel: `kind:first:second`. */
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
      return `drop:${announcement.nodeId}`
  }
}

export function decodeAnnouncement(payload: string): Announcement | undefined {
  const [kind, first = '', second = ''] = payload.split(':')
  if (kind === 'desired') return { kind, nodeId: first, serverId: second || undefined }
  if (kind === 'task') return { kind, nodeId: first, taskId: second }
  if (kind === 'done') return { kind, taskId: first }
  if (kind === 'opened') return { kind, nodeId: first, sessionId: second }
  if (kind === 'drop') return { kind, nodeId: first }
  if (kind === 'close') return { kind, match: decodeMatch(payload.slice('close:'.length)) }
  return undefined
}

/** What is not understood matches nothing. */
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
    values: [CHANNEL, announcements.map(encodeAnnouncement)],
  })
}

/** Whether another instance listens at this moment. */
export async function othersListen(pool: Queryable, instanceId: string): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'fleet-others',
    text: `select from pg_stat_activity
      where datname = current_database() and application_name like $1 and application_name <> $2 limit 1`,
    values: [`${NAME}%`, NAME + instanceId],
  })
  return (rowCount ?? 0) > 0
}

/**
 * Listens on a connection of its own and goes on listening when that breaks. PostgreSQL loses
 * nothing on a living connection, so it is probed every 2 s; what was missed while it was broken is
 * made good by `caughtUp`.
 * @param heard called for each announcement of any instance, our own included
 * @param caughtUp called whenever listening has begun (anew): anything may have been missed before
 */
export function listen(given: {
  pool: pg.Pool
  instanceId: string
  log: Logger
  heard: (announcement: Announcement) => void
  caughtUp: () => void
}): { ready: Promise<void>; stop(): Promise<void> } {
  const { pool, log } = given
  const stopping = new AbortController()
  let client: pg.Client | undefined
  let wake = () => {}
  const ready = Promise.withResolvers<void>()

  async function once(): Promise<void> {
    const current = new pg.Client({
      ...pool.options,
      // Not enumerable in the pool's options.
      password: pool.options.password,
      application_name: NAME + given.instanceId,
      keepAlive: true,
    })
    client = current
    const broken = Promise.withResolvers<void>()
    current.on('error', () => broken.resolve())
    current.on('end', () => broken.resolve())
    current.on('notification', ({ payload }) => {
      const announcement = decodeAnnouncement(payload ?? '')
      if (announcement) given.heard(announcement)
    })
    try {
      await current.connect()
      await current.query(`listen ${CHANNEL}`)
      ready.resolve()
      given.caughtUp()
      while (!stopping.signal.aborted) {
        await Promise.race([pause(PING_MS), broken.promise])
        await Promise.race([current.query('select 1'), refusal(PING_TIMEOUT_MS)])
      }
    } finally {
      void current.end().catch(() => undefined)
    }
  }

  async function forever(): Promise<void> {
    let waitMs = 100
    while (!stopping.signal.aborted) {
      const beganMs = performance.now()
      try {
        await once()
      } catch (error) {
        if (stopping.signal.aborted) return
        log.warn({ err: error }, 'announcements are not heard, trying again')
      }
      waitMs = performance.now() - beganMs > MAX_WAIT_MS ? 100 : Math.min(waitMs * 2, MAX_WAIT_MS)
      await pause(waitMs * (0.5 + Math.random() / 2))
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (stopping.signal.aborted) return resolve()
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  const running = forever()
  return {
    ready: ready.promise,
    async stop() {
      stopping.abort()
      wake()
      await client?.end().catch(() => undefined)
      await running
    },
  }
}

function refusal(ms: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error('the database did not answer a probe')), ms).unref()
  })
}
