import { randomUUID } from 'node:crypto'
import net from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Backoff, backoffMs } from '@lodge/shared/backoff.ts'
import pg from 'pg'
import type { Logger } from 'pino'

/** Prefix of the application name of every listening connection; the instance's id follows. */
const NAME = 'lodge-listen '
const PING_MS = 2_000
const PING_TIMEOUT_MS = 5_000
const CONNECT_TIMEOUT_MS = 10_000
/** How long PostgreSQL may take to say goodbye. */
const END_TIMEOUT_MS = 1_000
const BACKOFF: Backoff = { leastMs: 100, mostMs: 5_000, spread: 0.5 }
/** After this uptime, reconnect without back-off. */
const STEADY_MS = 10_000

export interface Subscriber {
  readonly payload: (text: string) => void
  /** Called when listening starts or resumes: earlier notifications may have been missed. */
  readonly gap: () => void
}

/** PostgreSQL notifications for this process, all on one connection. */
export interface Channels {
  /** Identifies this process to the others on the same database. */
  readonly instanceId: string
  /** `ready` resolves once LISTEN has taken effect for the first time. */
  hear(channel: string, on: Subscriber): { readonly ready: Promise<void>; stop(): void }
  stop(): Promise<void>
}

/**
 * Listens on a dedicated connection and reconnects when it breaks. PostgreSQL loses nothing on a
 * live connection; a probe every 2 s detects a dead one.
 */
export function openChannels(connection: pg.ClientConfig, log: Logger): Channels {
  const instanceId = randomUUID()
  const stopping = new AbortController()
  const { signal } = stopping
  const subscribers = new Map<string, Set<Subscriber & { began(): void }>>()
  let listening: pg.Client | undefined

  const reportGap = (channel: string) => {
    for (const one of subscribers.get(channel) ?? []) one.began()
  }
  const listen = (on: pg.Client, channel: string) =>
    on.query(`listen ${pg.escapeIdentifier(channel)}`)

  /** Runs one connection until it fails, and throws the reason. */
  async function once(): Promise<never> {
    const socket = new net.Socket()
    const current = new pg.Client({
      ...connection,
      stream: () => socket,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: NAME + instanceId,
      keepAlive: true,
      query_timeout: PING_TIMEOUT_MS,
    })
    let connected = false
    const end = () => {
      // Ending a client that is still connecting would leave `connect` pending for good.
      if (connected) current.end().catch(() => undefined)
      else socket.destroy()
    }
    signal.addEventListener('abort', end)
    const broken = Promise.withResolvers<void>()
    current.on('error', () => broken.resolve())
    current.on('end', () => broken.resolve())
    current.on('notification', ({ channel, payload }) => {
      for (const one of subscribers.get(channel) ?? []) one.payload(payload ?? '')
    })
    try {
      await current.connect()
      connected = true
      for (const channel of subscribers.keys()) await listen(current, channel)
      listening = current
      for (const channel of subscribers.keys()) reportGap(channel)
      for (;;) {
        await Promise.race([pause(PING_MS, undefined, { signal }), broken.promise])
        await current.query('select 1')
      }
    } finally {
      listening = undefined
      signal.removeEventListener('abort', end)
      current.removeAllListeners('notification')
      if (signal.aborted)
        await Promise.race([broken.promise, pause(END_TIMEOUT_MS, undefined, { ref: false })])
      socket.destroy()
    }
  }

  async function forever(): Promise<void> {
    for (let failures = 0; !signal.aborted; failures++) {
      const beganMs = performance.now()
      try {
        await once()
      } catch (error) {
        if (signal.aborted) return
        log.warn({ err: error }, 'lost the connection for notifications, reconnecting')
      }
      if (performance.now() - beganMs > STEADY_MS) failures = 0
      await pause(backoffMs(failures, BACKOFF), undefined, { signal }).catch(() => undefined)
    }
  }

  const running = forever()
  return {
    instanceId,
    hear(channel, on) {
      const ready = Promise.withResolvers<void>()
      const subscriber = {
        payload: on.payload,
        gap: on.gap,
        began() {
          ready.resolve()
          on.gap()
        },
      }
      const others = subscribers.get(channel)
      subscribers.set(channel, (others ?? new Set()).add(subscriber))
      const now = listening
      if (now)
        listen(now, channel).then(subscriber.began, () => {
          // The probe will notice that the connection broke; its successor listens to this channel
          // too.
        })
      return {
        ready: ready.promise,
        stop() {
          subscribers.get(channel)?.delete(subscriber)
        },
      }
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Whether another instance is listening right now. */
export async function othersListen(
  pool: Pick<pg.Pool, 'query'>,
  instanceId: string,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'others-listen',
    text: `select from pg_stat_activity
      where datname = current_database() and application_name like $1 and application_name <> $2 limit 1`,
    values: [`${NAME}%`, NAME + instanceId],
  })
  return (rowCount ?? 0) > 0
}
