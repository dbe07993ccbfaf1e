import { createReadStream, createWriteStream } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'

/**
 * The limit of a transfer: node:http between a connection and a file of one folder, the argument. A
 * file that was sent is on the disk before the response, as in the panel.
 */
const [, , folder = ''] = process.argv
const server = http.createServer(async (request, response) => {
  const file = path.join(folder, path.basename(request.url ?? ''))
  if (request.method === 'PUT') {
    await pipeline(request, createWriteStream(file, { flush: true }))
    response.end()
  } else await pipeline(createReadStream(file, { highWaterMark: 512 * 1024 }), response)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = address !== null && typeof address !== 'string' ? address.port : 0
  console.log(JSON.stringify({ port }))
})
process.on('SIGTERM', () => process.exit(0))
