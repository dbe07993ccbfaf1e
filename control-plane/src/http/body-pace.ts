import type { IncomingMessage, ServerResponse } from 'node:http'

/** How long bodies may take. Node itself has one limit for all of them, large uploads as well. */
export interface BodyPace {
  /** A body that its handler gets as a whole has to be there by then. */
  wholeMs: number
  /** Of one that is read as it arrives, `leastBytes` have to come in each such time. */
  windowMs: number
  leastBytes: number
}

export const BODY_PACE: Readonly<BodyPace> = {
  wholeMs: 30_000,
  windowMs: 30_000,
  leastBytes: 16 * 1024,
}

const watched = new WeakMap<IncomingMessage, { timer: NodeJS.Timeout; giveUp(): void }>()

/** Gives a request up whose body is not there in time, whoever sends it. */
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
