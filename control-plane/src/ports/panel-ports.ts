import type http from 'node:http'
import tls from 'node:tls'
import { addressSet, networkOf } from '@lodge/shared/addresses.ts'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type AdmissionOptions, openPort } from './admission.ts'
import type { KeptCertificate } from './certificate.ts'

const SILENT_MS = 10_000
const HANDSHAKE_MS = 10_000
/** Of all connections; browsers open six to one origin, and many people may sit behind one address. */
const SHARE_OF_ADDRESS = 0.25
/** Names under which only this machine reaches itself. */
const OWN_NAMES = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i

export interface PanelPorts {
  /** Of plain HTTP. */
  readonly port: number
  /** Of HTTPS, where there is one. */
  readonly tlsPort: number | undefined
  stop(): Promise<void>
}

/** Takes connections for the panel: by plain HTTP, and by TLS where a certificate is kept. */
export async function openPanelPorts(given: {
  readonly server: http.Server
  readonly http: { readonly host: string; readonly port: number; readonly tlsPort: number }
  readonly trustedProxies: readonly string[]
  /** Where HTTPS is wanted. */
  readonly secure: tls.Server | undefined
  readonly connections: number
  readonly log: Logger
}): Promise<PanelPorts> {
  const { server, log, secure } = given
  // Behind a proxy are many people, also where nobody has said that there is one on this machine.
  const isProxy = addressSet([...given.trustedProxies, '127.0.0.0/8', '::1'])
  const options: Omit<AdmissionOptions, 'paused'> = {
    connections: given.connections,
    perAddress: Math.ceil(given.connections * SHARE_OF_ADDRESS),
    silentMs: SILENT_MS,
    keyOf: (address) => (isProxy(address) ? undefined : networkOf(address)),
  }
  const { host, port, tlsPort } = given.http
  // Its time limits are watched from the moment a server listens; this one is handed its connections.
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
 * Sends browsers that come by plain HTTP to HTTPS as soon as there is a certificate, but for those on
 * this machine, which have no name in it.
 * @param origin of the panel, where it is known
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
