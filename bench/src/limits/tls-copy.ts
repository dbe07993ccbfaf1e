import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import tls from 'node:tls'
import { openAuthority } from '../../../control-plane/src/fleet/authority.ts'

/**
 * The limit of a copy between two nodes: one stream over TLS, hashed at both ends and written to
 * disk. A line `<from> <to>` on standard input starts one copy; it prints the milliseconds.
 */

const CHUNK = 256 * 1024
const authority = await openAuthority(process.env.LODGE_DATA ?? '')
const leaf = await authority.issue(new Date(), 1)
let target = ''
let arrived: (digest: string) => void = () => undefined

async function* hashed(chunks: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>) {
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
}

const server = tls.createServer({ key: leaf.key, cert: leaf.cert }, async (socket) => {
  const hash = createHash('sha256')
  await pipeline(socket, (chunks) => hashed(chunks, hash), createWriteStream(target))
  const file = await open(target)
  await file.sync()
  await file.close()
  arrived(hash.digest('hex'))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
const port = address !== null && typeof address !== 'string' ? address.port : 0

async function copy(from: string, to: string): Promise<number> {
  target = to
  const started = performance.now()
  const there = new Promise<string>((resolve) => {
    arrived = resolve
  })
  // Both ends belong to this program, so identity is not checked.
  const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const hash = createHash('sha256')
  const source = createReadStream(from, { highWaterMark: CHUNK })
  await pipeline(source, (chunks) => hashed(chunks, hash), socket)
  if ((await there) !== hash.digest('hex')) throw new Error('the copy is another file')
  return performance.now() - started
}

console.log(JSON.stringify({ port }))
for await (const line of createInterface({ input: process.stdin })) {
  const [from = '', to = ''] = line.split(' ')
  console.log(JSON.stringify({ copiedMs: await copy(from, to) }))
}
process.exit(0)
