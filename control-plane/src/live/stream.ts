import { ownRole, standingMark, type User } from '../actor.ts'
import type { Exchange } from '../http/endpoint.ts'
import { Problem } from '../problem.ts'
import type { LiveEvents } from './live-events.ts'
import type { LiveEvent } from './replay-buffer.ts'

const PING_MS = 20_000
const PER_USER = 20
/** A reader this far behind is disconnected; it reconnects and reloads. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024

/** Open streams by session, each with the standing it was opened with, so that they end with it. */
const open = new Map<string, { readonly user: User; readonly ends: Map<() => void, string> }>()

const textOf = (event: LiveEvent): string =>
  `id: ${event.id}\nevent: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`

/** Each event encoded as one chunk (RFC 9112, 7.1), once for all readers. */
const chunks = new WeakMap<LiveEvent, Buffer>()

function chunkOf(event: LiveEvent): Buffer {
  const known = chunks.get(event)
  if (known !== undefined) return known
  const text = textOf(event)
  const chunk = Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
  chunks.set(event, chunk)
  return chunk
}

/**
 * Keeps the response open and writes events until either side ends.
 * @param after id of the event to start after; a reconnecting browser's header takes precedence
 */
export function openStream(
  live: LiveEvents,
  user: User,
  after: string | undefined,
  { request, reply }: Exchange,
): void {
  // Its reader left while it was authorised: nothing would end the stream any more.
  if (reply.raw.destroyed) return void reply.hijack()
  const own = open.get(user.sessionId) ?? { user, ends: new Map() }
  if (own.ends.size >= PER_USER)
    throw new Problem('rate_limited', 'Too many open panels in this browser: close some', {
      retryAfterSeconds: 15,
    })
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-request-id': request.id,
  })
  raw.write('retry: 2000\n\n')
  const end = () => raw.end()
  const send = (event: LiveEvent) => {
    if (raw.writableLength > MAX_BUFFERED_BYTES) return raw.destroy()
    if (raw.writableEnded) return
    // Bypass the response, which would encode the event again for each reader. HTTP/1.0 has no
    // chunks.
    if (raw.chunkedEncoding) raw.socket?.write(chunkOf(event))
    else raw.write(textOf(event))
  }
  const header = request.headers['last-event-id']
  const unsubscribe = live.subscribe(user, typeof header === 'string' ? header : after, send)
  const ping = setInterval(() => raw.write(': ping\n\n'), PING_MS)
  own.ends.set(end, standingMark(user))
  open.set(user.sessionId, own)
  raw.on('close', () => {
    clearInterval(ping)
    unsubscribe()
    own.ends.delete(end)
    if (own.ends.size === 0) open.delete(user.sessionId)
  })
}

/**
 * Ends the streams of a session on this instance.
 * @param standingNow spares those that were opened with it
 */
export function endStreams(sessionId: string, standingNow?: string): void {
  for (const [end, standing] of open.get(sessionId)?.ends ?? []) if (standing !== standingNow) end()
}

/** Ends all streams of a role on this instance; browsers reconnect and are authorised anew. */
export function endStreamsOf(role: User['role']): void {
  for (const { user, ends } of open.values())
    if (ownRole(user) === role) for (const end of ends.keys()) end()
}
