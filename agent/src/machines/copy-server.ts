import http from 'node:http'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Transfer } from '@lodge/driver/capabilities/transfer.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { Logger } from 'pino'

const PATH = /^\/files\/([a-z0-9][a-z0-9._-]{0,63})$/
const RANGE = /^bytes=(\d{1,15})-$/
/** Longer than the other end of a connection through the control plane is waited for. */
const ASKED_WITHIN_MS = 90_000

export interface CopyServer {
  /** Serves the files of one machine over this connection. */
  serve(serverId: string, socket: Duplex): void
  close(): void
}

/**
 * Serves the copy of a stopped machine to another node: `GET /files/<name>`, optionally with a byte
 * range.
 */
export function copyServer(
  transfer: Transfer<WorkloadSpec>,
  log: Logger,
  { askedWithinMs = ASKED_WITHIN_MS }: { readonly askedWithinMs?: number } = {},
): CopyServer {
  const machineAt = new WeakMap<Duplex, string>()
  const sockets = new Set<Duplex>()
  /** Connections on which nothing was asked for yet. */
  const silent = new WeakMap<Duplex, NodeJS.Timeout>()
  // It listens nowhere, so its own time limits do not apply; transferring a large disk takes hours.
  const server = http.createServer({ maxHeaderSize: 8_192 })
  server.on('request', (request, response) => {
    clearTimeout(silent.get(request.socket))
    const serverId = machineAt.get(request.socket)
    answer(serverId, request, response).catch((error: unknown) => {
      log.warn({ err: error, serverId }, 'could not send the files of a machine')
      if (response.headersSent) response.destroy()
      else response.writeHead(statusOf(error)).end()
    })
  })
  server.on('clientError', (_error, socket) => socket.destroy())

  async function answer(
    serverId: string | undefined,
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<void> {
    const name = PATH.exec(request.url ?? '')?.[1]
    if (serverId === undefined || request.method !== 'GET' || name === undefined) {
      response.writeHead(404).end()
      return
    }
    const { range } = request.headers
    const offset = range === undefined ? 0 : Number(RANGE.exec(range)?.[1] ?? Number.NaN)
    if (Number.isNaN(offset)) {
      response.writeHead(416).end()
      return
    }
    const ending = new AbortController()
    response.once('close', () => ending.abort(new Error('the other node hung up')))
    const file = await transfer.read(serverId, name, offset, ending.signal)
    response.writeHead(range === undefined ? 200 : 206, {
      'content-type': 'application/octet-stream',
    })
    await pipeline(file, response)
  }

  return {
    serve(serverId, socket) {
      machineAt.set(socket, serverId)
      sockets.add(socket)
      const timer = setTimeout(() => socket.destroy(), askedWithinMs)
      silent.set(socket, timer)
      socket.once('close', () => {
        clearTimeout(timer)
        sockets.delete(socket)
      })
      server.emit('connection', socket)
      socket.resume()
    },
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

function statusOf(error: unknown): number {
  if (!(error instanceof DriverError)) return 500
  return { not_found: 404, not_stopped: 409 }[error.code as string] ?? 503
}
