import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

const TXT = 16
const CODES = { noError: 0, serverFailure: 2, noSuchName: 3 } as const

/** TXT records by name; null for a name that cannot be resolved. */
export type Zone = Map<string, string | null>

/** A DNS server with TXT records (RFC 1035), on a port of this machine. */
export class NameServer implements AsyncDisposable {
  readonly zone: Zone = new Map()
  /** Names that were queried. */
  readonly asked: string[] = []
  readonly #socket: Socket = createSocket('udp4')

  async listen(): Promise<this> {
    this.#socket.on('message', (message, { port, address }) => {
      this.#socket.send(this.#answer(message), port, address)
    })
    this.#socket.bind(0, '127.0.0.1')
    await once(this.#socket, 'listening')
    return this
  }

  /** `address:port`. */
  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`
  }

  #answer(message: Buffer): Buffer {
    const labels: string[] = []
    let at = 12
    for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
      labels.push(message.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const question = message.subarray(12, at + 5)
    const name = labels.join('.').toLowerCase()
    this.asked.push(name)
    const text = this.zone.get(name)
    const code =
      text === undefined ? CODES.noSuchName : text === null ? CODES.serverFailure : CODES.noError
    const isText = message.readUInt16BE(at + 1) === TXT
    const answers = typeof text === 'string' && isText ? [recordOf(text)] : []
    const head = Buffer.alloc(12)
    message.copy(head, 0, 0, 2)
    // A response, with recursion desired and available.
    head.writeUInt16BE(0x8180 | code, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(answers.length, 6)
    return Buffer.concat([head, question, ...answers])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#socket, 'close')
    this.#socket.close()
    await closed
  }
}

/** A TXT record for the name in the question, in strings of at most 255 bytes. */
function recordOf(text: string): Buffer {
  const parts = (text.match(/.{1,255}/gs) ?? ['']).map((part) =>
    Buffer.concat([Buffer.from([part.length]), Buffer.from(part, 'latin1')]),
  )
  const data = Buffer.concat(parts)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(TXT, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(60, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
