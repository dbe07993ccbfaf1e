import { collectPassed } from '@lodge/shared/local/collector.ts'
import { MAX_DATA_BYTES, type OpenFile } from './handles.ts'
import { field, PacketReader, REPLY, REQUEST, STATUS, status } from './packets.ts'

const MOST_PARTS = 64
const MOST_BYTES = 256 * 1024
/** Length, type, request and length of the data. */
const HEAD_BYTES = 13

interface Part {
  /** Of the request. */
  readonly id: Buffer
  readonly length: number
}

/** Requests for one part of an open file after the other, in any number. */
export interface Reads {
  readonly handle: string
  readonly offset: number
  readonly parts: readonly Part[]
}

export const bytesOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, { length }) => sum + length, 0)

function readIn(packet: Buffer): Reads | undefined {
  if (packet[0] !== REQUEST.read) return undefined
  const request = new PacketReader(packet.subarray(1))
  const id = field.uint32(request.uint32())
  const [handle, offset, wanted] = [request.text(), request.uint64(), request.uint32()]
  return { handle, offset, parts: [{ id, length: Math.min(wanted, MAX_DATA_BYTES) }] }
}

/** Undefined if the other does not go on where the one ends. */
function joined(one: Reads, other: Reads): Reads | undefined {
  const bytes = bytesOf(one.parts)
  const follows = one.handle === other.handle && one.offset + bytes === other.offset
  const fits = one.parts.length < MOST_PARTS && bytes + bytesOf(other.parts) <= MOST_BYTES
  return follows && fits ? { ...one, parts: [...one.parts, ...other.parts] } : undefined
}

/** Packets in their order, of which reads that go on where the one before ends are one. */
export function* withReadsJoined(packets: readonly Buffer[]): Generator<Buffer | Reads> {
  let waiting: Reads | undefined
  for (const packet of packets) {
    const read = readIn(packet)
    const longer = waiting && read && joined(waiting, read)
    if (waiting && !longer) yield waiting
    waiting = longer ?? read
    if (!read) yield packet
  }
  if (waiting) yield waiting
}

/**
 * Reads parts by one system call. The first that is not filled is the last that is answered: whether
 * the file ends there or the disk fails is asked anew.
 * @returns the replies of those that are answered
 */
export async function readParts(
  file: OpenFile,
  offset: number,
  parts: readonly Part[],
): Promise<{ reply: Buffer; answered: number }> {
  const whole = Buffer.allocUnsafe(parts.length * HEAD_BYTES + bytesOf(parts))
  collectPassed(whole.byteLength)
  let at = 0
  const data = parts.map(({ id, length }) => {
    writeHead(whole.subarray(at), id, length)
    at += HEAD_BYTES + length
    return whole.subarray(at - length, at)
  })
  let left = await file.read(data, offset)
  const short = parts.findIndex(({ length }) => {
    left -= length
    return left < 0
  })
  const part = parts[short]
  if (!part) return { reply: whole, answered: parts.length }
  const before = whole.subarray(0, short * HEAD_BYTES + bytesOf(parts.slice(0, short)))
  const own = whole.subarray(before.byteLength, before.byteLength + HEAD_BYTES + part.length + left)
  writeHead(own, part.id, part.length + left)
  const isEmpty = own.byteLength === HEAD_BYTES
  const end = status(part.id, STATUS.endOfFile, 'The file ends here.')
  return { reply: Buffer.concat([before, isEmpty ? end : own]), answered: short + 1 }
}

function writeHead(reply: Buffer, id: Buffer, length: number): void {
  reply.writeUInt32BE(HEAD_BYTES - 4 + length)
  reply.writeUInt8(REPLY.data, 4)
  id.copy(reply, 5)
  reply.writeUInt32BE(length, 9)
}
