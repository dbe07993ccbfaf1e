import type { IncomingMessage, ServerResponse } from 'node:http'

/** How long bodies may take. Node's own limit is one for all bodies, large uploads included. */
export interface BodyPace {
  /** A body that is parsed as a whole must be complete within this time. */
  wholeMs: number
  /** A body that is streamed must deliver at least `leastBytes` in each window of this length. */
  windowMs: number
  leastBytes: number
}

export const BODY_PACE: Readonly<BodyPace> = {
  wholeMs: 30_000,
  windowMs: 30_000,
  leastBytes: 16 * 1024,
}

const watched = new WeakMap<IncomingMessage, { timer: NodeJS.Timeout; giveUp(): void }>()

/** Aborts a request whose body is not complete in time, whoever sends it. */
export function limitBody(
  request: IncomingMessage,
  response: ServerResponse,
  { wholeMs }: BodyPace,
): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
  if (length === '0' && encoding === undefined) return
  const giveUp = () => {
    if (request.complete) return
    if (!response.headersSent)
      request.socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n')
    request.socket.destroy()
  }
  const watch = { timer: setTimeout(giveUp, wholeMs), giveUp }
  watched.set(request, watch)
  request.once('close', () => clearTimeout(watch.timer))
}

/**
 * Lets a body take as long as its bytes flow. To be called once the caller is admitted. A handler
 * that is slower than the sender is given its time.
 */
export function letFlow(request: IncomingMessage, { windowMs, leastBytes }: BodyPace): void {
  const watch = watched.get(request)
  if (!watch) return
  clearTimeout(watch.timer)
  const { socket } = request
  let seen = socket.bytesRead
  watch.timer = setInterval(() => {
    const arrived = socket.bytesRead - seen
    seen = socket.bytesRead
    if (arrived < leastBytes && request.readableLength === 0) watch.giveUp()
  }, windowMs)
}
