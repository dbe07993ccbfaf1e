import type http from 'node:http'
import tls from 'node:tls'
import { addressSet, networkOf } from '@lodge/shared/addresses.ts'
import { type AdmissionOptions, openPort } from '@lodge/shared/local/port.ts'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { KeptCertificate } from './certificate.ts'

const SILENT_MS = 10_000
const HANDSHAKE_MS = 10_000
/**
 * Share of all connections: browsers open six per origin, and many people may share one address.
 */
const SHARE_OF_ADDRESS = 0.25
/** Hosts that always mean this machine itself. */
const OWN_NAMES = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i

export interface PanelPorts {
  /** Port of plain HTTP. */
  readonly port: number
  /** Port of HTTPS, if enabled. */
  readonly tlsPort: number | undefined
  stop(): Promise<void>
}

/** Accepts connections for the panel: plain HTTP, and TLS if a certificate is kept. */
export async function openPanelPorts(given: {
  readonly server: http.Server
  readonly http: { readonly host: string; readonly port: number; readonly tlsPort: number }
  readonly trustedProxies: readonly string[]
  /** Set if HTTPS is enabled. */
  readonly secure: tls.Server | undefined
  readonly connections: number
  readonly log: Logger
}): Promise<PanelPorts> {
  const { server, log, secure } = given
  // A proxy carries many people, and one on this machine may not be configured as trusted.
  const isProxy = addressSet([...given.trustedProxies, '127.0.0.0/8', '::1'])
  const options: Omit<AdmissionOptions, 'paused'> = {
    connections: given.connections,
    perAddress: Math.ceil(given.connections * SHARE_OF_ADDRESS),
    silentMs: SILENT_MS,
    keyOf: (address) => (isProxy(address) ? undefined : networkOf(address)),
  }
  const { host, port, tlsPort } = given.http
  // Node enforces the time limits only after `listening`, and this server never listens itself.
  server.emit('listening')
  const plain = await openPort(
    { host, port },
    { ...options, paused: false },
    (socket) => server.emit('connection', socket),
    log,
  )
  if (!secure) return { port: plain.port, tlsPort: undefined, stop: () => plain.stop() }

  secure.on('secureConnection', (socket) => {
    socket.on('error', () => socket.destroy())
    server.emit('connection', socket)
  })
  secure.on('tlsClientError', (error, socket) => {
    log.debug({ err: error }, 'TLS handshake failed')
    socket.destroy()
  })
  const encrypted = await openPort(
    { host, port: tlsPort },
    { ...options, paused: true },
    (socket) => secure.emit('connection', socket),
    log,
  )
  return {
    port: plain.port,
    tlsPort: encrypted.port,
    async stop() {
      await Promise.all([plain.stop(), encrypted.stop()])
    },
  }
}

/** A TLS server that is handed its connections. */
export const createTls = (): tls.Server =>
  tls.createServer({
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
    handshakeTimeout: HANDSHAKE_MS,
  })

/**
 * Redirects browsers from plain HTTP to HTTPS once there is a certificate, except on this machine,
 * whose names the certificate does not contain.
 * @param origin of the panel, if known
 */
export function redirectToTls(
  app: FastifyInstance,
  given: {
    readonly kept: KeptCertificate
    readonly origin: string | undefined
    readonly tlsPort: () => number | undefined
  },
): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.protocol === 'https' || !given.kept.current()) return
    const { url, host, hostname } = request
    if (OWN_NAMES.test(host) || url.startsWith('/.well-known/acme-challenge/')) return
    const port = given.tlsPort()
    const own = `https://${hostname}${port === undefined || port === 443 ? '' : `:${port}`}`
    const origin = given.origin?.startsWith('https:') ? given.origin : own
    return reply.redirect(`${origin}${url}`, 308)
  })
}
