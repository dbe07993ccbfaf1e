import { backoffMs } from '@lodge/shared/backoff.ts'
import type { QueryClient } from '@tanstack/react-query'
import type { LiveCache } from '../panel/compose-panel.ts'
import { q } from '../query.ts'
import { type Connection, connection, setConnection } from './connection.ts'
import { lead } from './leader.ts'
import type { LiveMessage } from './message.ts'

/**
 * One event stream per browser: the elected tab reads it and forwards every message, because over
 * HTTP/1.1 a browser opens only six connections per origin.
 */

const POLL_MS = 15_000
const AGAIN = { leastMs: 1_000, mostMs: 15_000 }

type Passed =
  | { readonly kind: 'message'; readonly message: LiveMessage; readonly id: string }
  | { readonly kind: 'connection'; readonly connection: Connection }
  | { readonly kind: 'hello' }

/**
 * Keeps the cache live until the returned function is called (sign-out).
 * @param after id of the last event that the cached data already includes
 */
export function followEvents(client: QueryClient, live: LiveCache, after: string): () => void {
  const ended = new AbortController()
  const channel = new BroadcastChannel('lodge.events')
  let leading = false
  let newestId = after

  const receive = (message: LiveMessage, id: string): void => {
    newestId = id
    live.patch(client, message)
  }
  const note = (next: Connection): void => {
    const isNews = next.state === 'lost' && connection().state !== 'lost'
    setConnection(next)
    // The stream does not say why it ended. Whoever was signed out elsewhere learns it here and now.
    if (isNews) void client.invalidateQueries({ queryKey: q('GET /api/auth/me').queryKey })
  }
  const become = (next: Connection): void => {
    note(next)
    channel.postMessage({ kind: 'connection', connection: next } satisfies Passed)
  }

  channel.onmessage = ({ data }: MessageEvent<Passed>) => {
    if (data.kind === 'message') receive(data.message, data.id)
    if (data.kind === 'connection') note(data.connection)
    if (data.kind === 'hello' && leading) become(connection())
  }
  channel.postMessage({ kind: 'hello' } satisfies Passed)

  lead('lodge.events', ended.signal, (turn) => {
    leading = true
    turn.addEventListener('abort', () => {
      leading = false
    })
    read(turn, live.events, {
      after: () => newestId,
      message(message, id) {
        receive(message, id)
        channel.postMessage({ kind: 'message', message, id } satisfies Passed)
      },
      open: () => become({ state: 'open' }),
      lost: (waitMs) => become({ state: 'lost', retryAt: Date.now() + waitMs }),
    })
  })

  const poll = setInterval(() => {
    if (connection().state === 'lost') void client.invalidateQueries({ refetchType: 'active' })
  }, POLL_MS)

  return () => {
    ended.abort()
    clearInterval(poll)
    channel.close()
    setConnection({ state: 'connecting' })
  }
}

interface Reader {
  /** Id of the last event received: the stream replays the missed ones, or asks for a full reload. */
  after(): string
  message(message: LiveMessage, id: string): void
  open(): void
  lost(waitMs: number): void
}

/** Reads the stream and reconnects with backoff until `signal` is aborted. */
function read(signal: AbortSignal, events: readonly string[], reader: Reader): void {
  let failures = 0
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const open = (): void => {
    source = new EventSource(`/api/events?after=${encodeURIComponent(reader.after())}`)
    source.onopen = () => {
      failures = 0
      reader.open()
    }
    source.onerror = () => {
      source?.close()
      const waitMs = backoffMs(failures++, AGAIN)
      reader.lost(waitMs)
      timer = setTimeout(open, waitMs)
    }
    for (const type of events) {
      source.addEventListener(type, (event) => {
        reader.message({ type, data: JSON.parse(event.data) }, event.lastEventId)
      })
    }
  }
  signal.addEventListener('abort', () => {
    source?.close()
    clearTimeout(timer)
  })
  open()
}
