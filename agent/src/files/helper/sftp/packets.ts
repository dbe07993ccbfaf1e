import { gathered } from '../gathered.ts'

/** The packets of SFTP version 3, as OpenSSH and every client in use speak it. */

export const REQUEST = {
  init: 1,
  open: 3,
  close: 4,
  read: 5,
  write: 6,
  lstat: 7,
  fstat: 8,
  setstat: 9,
  fsetstat: 10,
  opendir: 11,
  readdir: 12,
  remove: 13,
  mkdir: 14,
  rmdir: 15,
  realpath: 16,
  stat: 17,
  rename: 18,
  readlink: 19,
  symlink: 20,
  extended: 200,
} as const

export const REPLY = {
  version: 2,
  status: 101,
  handle: 102,
  data: 103,
  name: 104,
  attributes: 105,
  extended: 201,
} as const

export const STATUS = {
  ok: 0,
  endOfFile: 1,
  noSuchFile: 2,
  permissionDenied: 3,
  failure: 4,
  badMessage: 5,
  unsupported: 8,
} as const

/** What a packet may have at most, without its length: OpenSSH has the same limit. */
export const MAX_PACKET_BYTES = 256 * 1024

/** A packet that is no SFTP: the connection is of no more use. */
export class BadPacket extends Error {}

/** Reads the fields of one packet. */
export class PacketReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  byte(): number {
    return this.#take(1).readUInt8()
  }

  uint32(): number {
    return this.#take(4).readUInt32BE()
  }

  /** An offset or a size; no file is larger than a safe number. */
  uint64(): number {
    const value = Number(this.#take(8).readBigUInt64BE())
    if (!Number.isSafeInteger(value)) throw new BadPacket('a number is too large')
    return value
  }

  bytes(): Buffer {
    return this.#take(this.uint32())
  }

  text(): string {
    return this.bytes().toString('utf8')
  }

  #take(length: number): Buffer {
    const end = this.#at + length
    if (end > this.#bytes.byteLength) throw new BadPacket('a packet is too short')
    const part = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return part
  }
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

/** The fields of a packet, by the type that they have in the protocol. */
export const field = {
  uint32,
  uint64(value: number | bigint): Buffer {
    const bytes = Buffer.allocUnsafe(8)
    bytes.writeBigUInt64BE(BigInt.asUintN(64, BigInt(value)))
    return bytes
  },
  text(value: string | Buffer): Buffer {
    const bytes = Buffer.from(value as string)
    return Buffer.concat([uint32(bytes.byteLength), bytes])
  },
}

/** A whole packet: length, type and fields. */
export function packet(type: number, ...fields: readonly Buffer[]): Buffer {
  const length = 1 + fields.reduce((sum, { byteLength }) => sum + byteLength, 0)
  return Buffer.concat([uint32(length), Buffer.from([type]), ...fields])
}

export const status = (id: Buffer, code: number, message: string): Buffer =>
  packet(REPLY.status, id, field.uint32(code), field.text(message), field.text('en'))

/**
 * Cuts a stream into packets, without their length: all that have arrived at once.
 * @throws {BadPacket} for one that is too large
 */
export async function* packetsOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer[]> {
  let rest: Buffer = Buffer.alloc(0)
  const waiting: Uint8Array[] = []
  let waitingBytes = 0
  let neededBytes = 4
  for await (const parts of gathered(stream)) {
    waiting.push(...parts)
    for (const { byteLength } of parts) waitingBytes += byteLength
    // Joined only once a packet is complete, so that a large one is not copied for each part.
    if (waitingBytes < neededBytes) continue
    rest = Buffer.concat(waiting)
    waiting.length = 0
    const packets: Buffer[] = []
    while (rest.byteLength >= 4) {
      const length = rest.readUInt32BE()
      if (length < 1 || length > MAX_PACKET_BYTES) throw new BadPacket('a packet is too large')
      if (rest.byteLength < 4 + length) break
      packets.push(rest.subarray(4, 4 + length))
      rest = rest.subarray(4 + length)
    }
    yield packets
    neededBytes = rest.byteLength >= 4 ? 4 + rest.readUInt32BE() : 4
    waitingBytes = rest.byteLength
    if (waitingBytes > 0) waiting.push(rest)
  }
}
