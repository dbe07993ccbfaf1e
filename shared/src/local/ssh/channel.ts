import type { Duplex } from 'node:stream'
import type { ServerChannel } from 'ssh2'
import { collectAfter } from '../collector.ts'

export type { ServerChannel }

/** Four packets of SSH; larger copies gain nothing and leave more behind. */
const MOST_AT_ONCE = 128 * 1024

export interface ChannelEnds {
  /** Aborted when the client has left. */
  readonly gone: AbortSignal
  /** Called when the node or a withdrawn permission ends it. */
  readonly withdrawn: () => void
  /** Called for each part that is transferred. */
  readonly moved: () => void
}

/**
 * Passes everything on, at the pace of the channel. TLS yields 16 KiB at a time: what arrives in one
 * turn of the event loop goes on as one, so that SSH makes half as many packets of it.
 */
function passOn(stream: Duplex, channel: ServerChannel): { flush(): void } {
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let turn: NodeJS.Immediate | undefined
  const flush = () => {
    clearImmediate(turn)
    turn = undefined
    if (waitingBytes === 0 || channel.writableEnded) return
    const bytes = Buffer.concat(waiting)
    waiting = []
    waitingBytes = 0
    if (channel.write(bytes)) return
    stream.pause()
    channel.once('drain', () => stream.resume())
  }
  stream.on('data', (part: Buffer) => {
    waiting.push(part)
    waitingBytes += part.byteLength
    if (waitingBytes >= MOST_AT_ONCE) flush()
    else turn ??= setImmediate(flush)
  })
  return { flush }
}

/** Connects a channel to a stream that speaks SFTP, until either ends. */
export function connectChannel(channel: ServerChannel, stream: Duplex, ends: ChannelEnds): void {
  collectAfter(channel)
  channel.on('error', () => channel.destroy())
  let left = false
  channel.once('end', () => {
    left = true
  })
  channel.once('close', () => stream.destroy())
  const passed = passOn(stream, channel)
  stream.once('close', () => {
    if (!left) return ends.withdrawn()
    passed.flush()
    channel.exit(0)
    channel.end()
  })
  channel.on('data', ends.moved).pipe(stream)
  stream.on('data', ends.moved)
}

/** Tells a client why it gets no files. */
export function refuseChannel(channel: ServerChannel, why: string): void {
  channel.stderr.write(`${why}\r\n`)
  channel.exit(1)
  channel.end()
}
