import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import path from 'node:path'
import { selfSigned } from './self-signed.ts'

/**
 * An HTTPS proxy, because over HTTP restic signs uploads in a way that Swift does not support.
 * @param folder for its certificate
 */
export async function secured(target: string, folder: string) {
  const { certificate, key } = await selfSigned('localhost')
  const caFile = path.join(folder, 'authority.pem')
  await writeFile(caFile, certificate)
  const server = https.createServer({ cert: certificate, key }, (request, response) => {
    const { method, headers } = request
    const forwarded = http.request(new URL(request.url ?? '/', target), { method, headers })
    forwarded.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', () => {
      // Swift answers HEAD with a body, which raises an error only after the response has arrived.
      if (!response.headersSent) response.destroy()
    })
    request.pipe(forwarded)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    caFile,
    endpoint: `https://localhost:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
