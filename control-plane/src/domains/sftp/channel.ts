import type { Duplex } from 'node:stream'
import { fileHeaders, SFTP_PATH, SFTP_PROTOCOL } from '@lodge/shared/files.ts'
import { collectAfter } from '@lodge/shared/local/collector.ts'
import type { ServerChannel } from 'ssh2'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { rightsMark } from '../servers/index.ts'
import type { Admitted } from './admission.ts'
import { sessionKeyOf } from './live.ts'

/** Four packets of SSH; larger copies gain nothing and leave more behind. */
const MOST_AT_ONCE = 128 * 1024

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

/** Connects a channel to the file service of the server's node, which speaks SFTP. Never throws. */
export async function channelOf(
  services: Services,
  { user, server, reach }: Admitted,
  channel: ServerChannel,
  ends: {
    /** Aborted when the client has left. */
    readonly gone: AbortSignal
    /** Called when the node or a withdrawn permission ends it. */
    readonly withdrawn: () => void
    /** Called for each part that is transferred. */
    readonly moved: () => void
  },
): Promise<void> {
  let stream: Duplex
  try {
    stream = await services.fleet.openStream({
      nodeId: server.nodeId,
      serverId: server.id,
      kind: 'sftp',
      service: 'files',
      path: SFTP_PATH,
      protocol: SFTP_PROTOCOL,
      headers: fileHeaders(reach.rules, reach.may),
      userKey: user.id,
      sessionKey: sessionKeyOf(user.id),
      ...(server.rights && { rights: rightsMark(server.rights) }),
      writes: reach.may.length > 1,
      gone: ends.gone,
    })
  } catch (error) {
    if (!(error instanceof Problem)) services.log.warn({ err: error }, 'could not open SFTP')
    const why = error instanceof Problem ? error.message : 'The node could not be reached'
    channel.stderr.write(`${why}\r\n`)
    channel.exit(1)
    channel.end()
    return
  }
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
