import dgram from 'node:dgram'
import { once } from 'node:events'

const A = 1
const ANSWERS = 0x8180
const POINTER_TO_NAME = 0xc00c

/**
 * A name server on 127.0.0.1 (RFC 1035). Each query for the address of a name gets its next
 * response, and the last one from then on; each response is one or several IPv4 addresses.
 */
export async function serveNames(
  names: Readonly<Record<string, readonly (readonly string[])[]>>,
): Promise<{ readonly asked: readonly string[]; close(): void }> {
  const queried: string[] = []
  const socket = dgram.createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, end } = nameIn(query)
    const isForAddress = query.readUInt16BE(end) === A
    let addresses: readonly string[] = []
    if (isForAddress) {
      const before = queried.filter((one) => one === name).length
      queried.push(name)
      addresses = names[name]?.[before] ?? names[name]?.at(-1) ?? []
    }
    const answer = Buffer.concat([
      query.subarray(0, end + 4),
      ...addresses.map((address) => record(address)),
    ])
    answer.writeUInt16BE(ANSWERS, 2)
    answer.writeUInt16BE(addresses.length, 6)
    answer.writeUInt32BE(0, 8)
    socket.send(answer, from.port, from.address)
  })
  socket.bind(53, '127.0.0.1')
  await once(socket, 'listening')
  return { asked: queried, close: () => socket.close() }
}

/** The queried name, and the offset of the query's type. */
function nameIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

/** A TTL of zero: the name is resolved again immediately. */
function record(address: string): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(POINTER_TO_NAME, 0)
  head.writeUInt16BE(A, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(0, 6)
  head.writeUInt16BE(4, 10)
  return Buffer.concat([head, Buffer.from(address.split('.').map(Number))])
}
