import type { Http2Session } from 'node:http2'
import type { Duplex } from 'node:stream'

/**
 * Flow control of HTTP/2 between two nodes: enough for a fast line with a long way, little enough
 * that what waits in memory stays small.
 */
export const SETTINGS = { initialWindowSize: 2 * 1024 * 1024, enablePush: false }
export const SESSION_BYTES = 8 * 1024 * 1024

/**
 * Ends a session as soon as its connection is destroyed. Otherwise resetting one of its streams then
 * never returns: node:http2 copies the same frame again and again until the memory is full.
 */
export function endWith(socket: Duplex, session: Http2Session): void {
  const destroy = socket.destroy.bind(socket)
  socket.destroy = (error) => {
    if (!session.destroyed) session.destroy()
    return destroy(error)
  }
}
