import { once } from 'node:events'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendPart } from './send-part.ts'

const PIECE = 512 * 1024
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lodge-part-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test.each(['ended', 'destroyed'])(
  'sending ends when the connection is %s just before a piece is written',
  async (how) => {
    const path = join(folder, how)
    await writeFile(path, Buffer.alloc(2 * PIECE))
    await using file = await open(path)
    const { promise: request, resolve } = Promise.withResolvers<http.ServerResponse>()
    const server = http.createServer((_, response) => resolve(response))
    server.listen(join(folder, `${how}.sock`))
    await once(server, 'listening')
    const client = net.connect(join(folder, `${how}.sock`)).resume()
    client.write('GET / HTTP/1.1\r\nhost: files\r\n\r\n')
    const response = await request
    const ending = new AbortController()
    response.once('close', () => ending.abort(new Error('the other end hung up')))
    response.writeHead(200, { 'content-length': 2 * PIECE }).flushHeaders()
    const sent = sendPart(file.fd, { start: 0, end: 2 * PIECE - 1 }, response, ending.signal)
    // The first piece is being read.
    if (how === 'ended') response.socket?.end()
    else response.socket?.destroy()
    await expect(sent).rejects.toThrow()
    client.destroy()
    server.close()
  },
)
