import type { Writable } from 'node:stream'

type Write = (chunk: unknown, ...more: never[]) => boolean

/**
 * Sends what is written in one turn of the event loop by one system call. TLS yields 16 KiB at a time,
 * each in a call of its own, so the end of a tick is too early.
 */
export function leaveTogether(stream: Pick<Writable, 'write' | 'cork' | 'uncork'>): void {
  const write = stream.write.bind(stream) as Write
  let corked = false
  const together: Write = (...given) => {
    if (!corked) {
      corked = true
      stream.cork()
      setImmediate(() => {
        corked = false
        stream.uncork()
      })
    }
    return write(...given)
  }
  stream.write = together as Writable['write']
}
