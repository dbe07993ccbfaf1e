import type { Socket } from 'node:net'

/** A fifth less work than AES-CTR with a separate code, for either side. */
const GCM = 'aes128-gcm@openssh.com'
/** Its clients offer everything right after they have read who the server is. */
const OPENSSH = 'SSH-2.0-OpenSSH_'
const KEXINIT = 20
/** As the protocol limits the line by which a client says who it is. */
const IDENT_BYTES = 255
/** Several times what OpenSSH's client offers. */
const MOST_BYTES = 8_192

/**
 * Says who we are and hears how the client begins, which the socket then yields once more, paused.
 * @param ident our line
 * @param heard is given whether the client is one of OpenSSH that knows AES-GCM; not called for a
 * socket that closes before
 */
export function greet(socket: Socket, ident: string, heard: (knowsGcm: boolean) => void): void {
  const parts: Buffer[] = []
  const listen = (part: Buffer) => {
    parts.push(part)
    const bytes = Buffer.concat(parts)
    const knows = knowsGcm(bytes)
    if (knows === undefined && bytes.length < MOST_BYTES) return
    socket.off('data', listen)
    socket.pause()
    socket.unshift(bytes)
    heard(knows === true)
  }
  socket.on('data', listen)
  socket.write(ident)
  socket.resume()
}

/**
 * Whether a client that begins so is one of OpenSSH that knows AES-GCM; undefined if that is not
 * known yet.
 */
export function knowsGcm(bytes: Buffer): boolean | undefined {
  const end = bytes.indexOf('\n')
  if (end < 0) return bytes.length > IDENT_BYTES ? false : undefined
  if (!bytes.toString('latin1', 0, end).startsWith(OPENSSH)) return false
  const packet = bytes.subarray(end + 1)
  if (packet.length < 4) return undefined
  const length = packet.readUInt32BE(0)
  if (length > MOST_BYTES) return false
  if (packet.length < 4 + length) return undefined
  const [, message] = packet.subarray(4)
  if (message !== KEXINIT) return false
  // Behind the length of the padding, the kind of message and a cookie.
  const [, , ofClient, ofServer] = nameLists(packet.subarray(4 + 1 + 1 + 16, 4 + length), 4)
  return ofClient?.includes(GCM) === true && ofServer?.includes(GCM) === true
}

/** The first of the lists of names in a message; fewer if it is cut off. */
function nameLists(message: Buffer, count: number): string[][] {
  const lists: string[][] = []
  for (let at = 0; lists.length < count && at + 4 <= message.length; ) {
    const length = message.readUInt32BE(at)
    lists.push(message.toString('latin1', at + 4, at + 4 + length).split(','))
    at += 4 + length
  }
  return lists
}
