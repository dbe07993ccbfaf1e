import http from 'node:http'
import type { Duplex } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { BackupStore } from '@lodge/driver/backup-store.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import { type ArchiveRefusal, ArchiveRequest } from '@lodge/shared/backup-work.ts'
import type { Logger } from 'pino'
import type { Links } from './storage/links.ts'

export interface ArchiveServer {
  /** Serves archives of backups to the control plane over this connection. */
  serve(socket: Duplex): void
  close(): void
}

/** Answers `POST /v1/archive` with the bytes of an archive, which the request describes. */
export function archiveServer(store: BackupStore, links: Links, log: Logger): ArchiveServer {
  const sockets = new Set<Duplex>()
  const server = http.createServer({ headersTimeout: 30_000, maxHeaderSize: 8_192 })
  // No request timeout: a large archive takes hours.
  server.requestTimeout = 0
  server.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.warn({ err: error }, 'could not send an archive of a backup')
      if (response.headersSent) response.destroy()
      else refuse(response, error)
    })
  })
  server.on('clientError', (_error, socket) => socket.destroy())

  async function answer(
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<void> {
    if (request.method !== 'POST' || request.url !== '/v1/archive') {
      response.writeHead(404).end()
      return
    }
    const asked = ArchiveRequest.parse(await json(request))
    const ending = new AbortController()
    response.once('close', () => ending.abort(new Error('the caller hung up')))
    await links(asked.repository, async (repository) => {
      const archive = await store.archive({ ...asked, repository }, ending.signal)
      // The head waits for the first bytes, so that a damaged backup is still refused in words.
      await new Promise<void>((resolve, reject) => {
        archive.once('readable', resolve)
        archive.once('error', reject)
      })
      response.writeHead(200, { 'content-type': 'application/octet-stream' })
      await pipeline(archive, response)
    })
  }

  return {
    serve(socket) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      server.emit('connection', socket)
      socket.resume()
    },
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

function refuse(response: http.ServerResponse, error: unknown): void {
  const known = error instanceof DriverError
  const body: ArchiveRefusal = known
    ? { code: error.code, detail: error.message }
    : { code: 'internal', detail: 'The node could not do this: see its log' }
  response.writeHead(502, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
