import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { ViewOnly } from './view-only.ts'

/** Bytes buffered for a slow reader before the screen is paused. */
const HIGH_BYTES = 512 * 1024

/**
 * Connects a reader's WebSocket with the screen of a machine. Each direction runs at the pace of
 * its receiver, and closing either end closes both.
 * @param mayWrite false: the reader's keys, pointer and clipboard do not reach the machine
 */
export function joinScreen(socket: WebSocket, screen: Duplex, mayWrite: boolean): void {
  const filter = mayWrite ? null : new ViewOnly()
  screen.on('data', (chunk: Buffer) => {
    socket.send(chunk, { binary: true }, () => {
      if (socket.bufferedAmount < HIGH_BYTES) screen.resume()
    })
    if (socket.bufferedAmount >= HIGH_BYTES) screen.pause()
  })
  screen.on('drain', () => socket.resume())
  screen.on('error', () => socket.close(1011, 'The screen was lost'))
  screen.on('close', () => socket.close(1000, 'The screen is off'))
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (!isBinary) return
    let bytes: Uint8Array
    try {
      bytes = filter ? filter.pass(data) : data
    } catch {
      socket.close(1008, 'This is not RFB')
      return
    }
    if (bytes.byteLength > 0 && !screen.write(bytes)) socket.pause()
  })
  socket.on('close', () => screen.destroy())
  if (socket.readyState !== socket.OPEN) screen.destroy()
}
