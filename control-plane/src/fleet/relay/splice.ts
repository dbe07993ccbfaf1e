import net from 'node:net'
import type { Duplex } from 'node:stream'

const LINGER_MS = 5_000

/**
 * Pipes two sockets into each other at the pace of the slower. The end of either closes both.
 * @param over called once, when either side has ended
 * @returns closes both at once
 */
export function splice(one: Duplex, other: Duplex, over: () => void): () => void {
  const destroy = () => {
    one.destroy()
    other.destroy()
  }
  let ending = false
  const end = () => {
    if (ending) return
    ending = true
    // Flush what was received, but do not wait for a side that no longer reads.
    one.end()
    other.end()
    setTimeout(destroy, LINGER_MS).unref()
    over()
  }
  for (const socket of [one, other]) {
    if (socket instanceof net.Socket) {
      socket.setTimeout(0)
      socket.setNoDelay(true)
      socket.setKeepAlive(true, 30_000)
    }
    socket.on('error', () => socket.destroy())
    socket.once('end', end).once('close', end)
  }
  one.pipe(other, { end: false })
  other.pipe(one, { end: false })
  return destroy
}
