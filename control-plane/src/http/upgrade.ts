import type { Server } from 'node:http'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { User } from '../actor.ts'
import { Problem } from '../problem.ts'
import { clientAddress } from './addresses.ts'
import { type Authenticator, SESSION_COOKIE } from './authenticate.ts'
import { refuseViewer, requireUsable } from './authorize.ts'
import { elsewhere, requireOneHost } from './origin.ts'

/** Passes a signed-in browser's WebSocket request to the owner of the path. */
export type Upgrade = (
  user: User,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
) => Promise<void>

const LINGER_MS = 5_000
/** How often operators are told of a proxy that breaks WebSockets. */
const LOG_EVERY_MS = 3_600_000
/** 16 bytes in base64 (RFC 6455, 4.2.1). */
const KEY = /^[A-Za-z0-9+/]{22}==$/

/**
 * Answers WebSockets that arrive as plain requests, because a proxy has dropped their Upgrade header;
 * their key gets through.
 */
export function refusePlainRequests(app: FastifyInstance, paths: readonly string[]): void {
  let loggedAt = Number.NEGATIVE_INFINITY
  for (const path of paths)
    app.get(path, async ({ headers }) => {
      if (headers['sec-websocket-key'] !== undefined && Date.now() - loggedAt > LOG_EVERY_MS) {
        loggedAt = Date.now()
        app.log.warn(
          'consoles and screens cannot connect: the proxy in front of the panel does not pass on the Upgrade header of WebSockets (docs/https.md, Proxies)',
        )
      }
      throw new Problem(
        'websocket_required',
        'Open a WebSocket here; if you did, a proxy did not pass on its Upgrade header',
      )
    })
}

/** WebSockets accept only cookies, and only from the panel's own pages. */
export function acceptUpgrades(
  app: FastifyInstance,
  server: Server,
  options: {
    readonly authenticator: Authenticator
    readonly origins: (host: string | undefined) => readonly string[]
    readonly panelUrl: () => string
    /** Whether an address is a configured proxy. */
    readonly trusted: (address: string) => boolean
    readonly paths: Readonly<Record<string, Upgrade>>
  },
): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    admit(app, request, options)
      .then(({ user, upgrade }) => upgrade(user, request, socket, head))
      .catch((error: unknown) => refuse(app, socket, error))
  })
}

async function admit(
  app: FastifyInstance,
  request: IncomingMessage,
  options: Parameters<typeof acceptUpgrades>[2],
): Promise<{ user: User; upgrade: Upgrade }> {
  requireOneHost(request)
  const upgrade = options.paths[(request.url ?? '').split('?', 1)[0] ?? '']
  if (!upgrade) throw new Problem('not_found', 'There is nothing at this address')
  const { headers } = request
  const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket'
  if (!isWebSocket || !KEY.test(headers['sec-websocket-key'] ?? ''))
    throw new Problem('validation_failed', 'Only a WebSocket may be opened here')
  const { origin, host } = request.headers
  if (origin === undefined || !options.origins(host).includes(origin))
    throw elsewhere(options.panelUrl())
  const token = app.parseCookie(request.headers.cookie ?? '')[SESSION_COOKIE]
  const address = clientAddress(
    request.socket.remoteAddress ?? '',
    request.headers['x-forwarded-for'],
    options.trusted,
  )
  const user = token ? await options.authenticator.session(token, address) : undefined
  if (!user) throw new Problem('authentication_required', 'Sign in to do this')
  refuseViewer(user)
  requireUsable(user)
  return { user, upgrade }
}

function refuse(app: FastifyInstance, socket: Duplex, error: unknown): void {
  if (!(error instanceof Problem)) app.log.error({ err: error }, 'upgrade failed')
  const problem =
    error instanceof Problem
      ? error
      : new Problem('internal_error', 'The fault is on our side and has been recorded')
  if (!socket.writable) return
  const body = JSON.stringify(problem.document('upgrade'))
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? 'Refused'}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  // Close clients that do not hang up themselves.
  socket.resume()
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
