import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import http2, { type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { type Duplex, duplexPair, pipeline } from 'node:stream'
import type { LinkedStorage, OpenRepository } from '@lodge/driver/backup-store.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import type { BackupRepository } from '@lodge/shared/backup-work.ts'
import type { Reach, TellWay } from '../../direct/reach.ts'
import { endWith, SESSION_BYTES, SETTINGS } from './session.ts'

const PING_MS = 15_000
/** Unanswered pings before the other node counts as gone; a busy one may miss one or two. */
const SILENT_PINGS = 3
const PASSED_ON = ['content-length', 'content-type', 'range', 'accept'] as const
const PASSED_BACK = ['content-length', 'content-type'] as const

/**
 * Does work on a repository. One on another node is reached through a connection, which is closed
 * afterwards.
 */
export type Links = <T>(
  repository: BackupRepository,
  work: (repository: OpenRepository) => Promise<T>,
  tellWay?: TellWay,
) => Promise<T>

/**
 * @param reach connects to the other node
 * @param keep serves a repository that this node keeps, for reading
 */
export const storageLinks =
  (reach: Reach, keep: (repositoryId: string, socket: Duplex) => void): Links =>
  async ({ location, ...repository }, work, tellWay) => {
    if (location.kind !== 'other-node' && location.kind !== 'kept-here')
      return await work({ ...repository, location })
    const open = async (): Promise<Duplex> => {
      if (location.kind === 'other-node') {
        const { sessionId, ticket, address, direct } = location
        const end = { serverId: repository.id, kind: 'storage', mayWrite: false, person: '' }
        const reached = await reach({ relay: { sessionId, ticket, address, ...end }, direct })
        tellWay?.(reached.isDirect)
        return reached.socket
      }
      // As from another node, but the bytes do not leave this one.
      const [near, far] = duplexPair()
      keep(repository.id, far)
      return near
    }
    const socket = await open().catch((error: unknown) => {
      throw away(error)
    })
    const link = await openLink(socket)
    try {
      return await work({ ...repository, location: link })
    } finally {
      link.close()
    }
  }

const away = (cause?: unknown) =>
  new DriverError('runtime_unavailable', 'The node that keeps the backups does not answer.', {
    retryable: true,
    cause,
  })

/** Responses of the other node that end the whole task; restic would retry them for a long time. */
const FAULTS: Readonly<Record<number, () => DriverError>> = {
  403: () => new DriverError('not_permitted', 'The node that keeps the backups refused this.'),
  507: () => new DriverError('disk_full', 'The disk of the node that keeps the backups is full.'),
}

/**
 * Serves the repository at the other end of a connection to programs of this machine that know the
 * secret address. All their requests share the connection.
 */
async function openLink(socket: Duplex): Promise<LinkedStorage & { close(): void }> {
  const session = http2.connect('http://storage', {
    createConnection: () => socket,
    settings: SETTINGS,
  })
  endWith(socket, session)
  session.once('connect', () => session.setLocalWindowSize(SESSION_BYTES))
  const ended = new AbortController()
  const end = (reason: DriverError) => ended.abort(reason)
  session.on('error', (error) => end(away(error)))
  session.once('close', () => end(away()))
  const stopWatching = watch(session, () => end(away()))

  const credential = `lodge:${randomBytes(24).toString('base64url')}`
  const expected = Buffer.from(`Basic ${Buffer.from(credential).toString('base64')}`)
  const server = http.createServer({ requestTimeout: 0 }, (request, response) => {
    const given = Buffer.from(request.headers.authorization ?? '')
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      return void response.writeHead(401).end()
    forward(session, request, response, (status) => {
      const fault = FAULTS[status]
      if (fault) end(fault())
    })
  })
  server.on('clientError', (_error, one) => one.destroy())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    kind: 'linked',
    url: `http://${credential}@127.0.0.1:${port}/`,
    ended: ended.signal,
    close() {
      stopWatching()
      server.close()
      server.closeAllConnections()
      session.destroy()
      socket.destroy()
    },
  }
}

function forward(
  session: ClientHttp2Session,
  request: http.IncomingMessage,
  response: http.ServerResponse,
  onStatus: (status: number) => void,
): void {
  if (session.destroyed || session.closed) return void response.writeHead(502).end()
  const { method = 'GET', url = '/' } = request
  const headers: OutgoingHttpHeaders = { ':method': method, ':path': url }
  for (const name of PASSED_ON) if (request.headers[name]) headers[name] = request.headers[name]
  const sends = method === 'POST'
  const stream = session.request(headers, { endStream: !sends })
  stream.on('error', () => response.destroy())
  stream.once('response', (answer) => {
    const status = answer[':status'] ?? 502
    onStatus(status)
    response.statusCode = status
    for (const name of PASSED_BACK) {
      const value = answer[name]
      if (value !== undefined) response.setHeader(name, value)
    }
    pipeline(stream, response, () => undefined)
  })
  response.once('close', () => stream.close())
  // An early refusal ends the stream before its body.
  if (sends) pipeline(request, stream, () => undefined)
  else request.resume()
}

/** @param silent called when the other node has not answered for a while */
function watch(session: ClientHttp2Session, silent: () => void): () => void {
  let missed = 0
  const timer = setInterval(() => {
    if (missed === SILENT_PINGS) return silent()
    missed += 1
    if (!session.destroyed)
      session.ping((error) => {
        if (!error) missed = 0
      })
  }, PING_MS)
  timer.unref()
  return () => clearInterval(timer)
}
