import { mkdtemp, rm } from 'node:fs/promises'
import https from 'node:https'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import tls from 'node:tls'
import { Server } from '@grpc/grpc-js'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Authority, openAuthority } from './authority.ts'
import { type Listener, openListener } from './listener.ts'
import { FLEET_OPTIONS, type FleetOptions } from './options.ts'

let folder: string
let authority: Authority
let listener: Listener | undefined
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lodge-listener-'))
  authority = await openAuthority(folder)
})
afterAll(() => rm(folder, { recursive: true }))
afterEach(() => listener?.stop())

async function open(options: Partial<FleetOptions> = {}): Promise<Listener> {
  listener = await openListener({
    host: '127.0.0.1',
    port: 0,
    authority,
    options: { ...FLEET_OPTIONS, ...options },
    log: pino({ level: 'silent' }),
    grpc: new Server({
      'grpc.enable_channelz': 0,
      'grpc.max_connection_idle_ms': options.idleConnectionMs ?? 30_000,
    }),
    onRequest: (request, response) => void response.end(`${request.method} ${request.url}`),
    onUpgrade: (_request, socket) => void socket.end(),
  })
  return listener
}

const secure = (port: number, more: tls.ConnectionOptions = {}) =>
  tls.connect({ host: '127.0.0.1', port, servername: 'lodge', ca: authority.certificate, ...more })

const shaken = (socket: tls.TLSSocket) =>
  new Promise<tls.TLSSocket>((resolve, reject) => {
    socket.once('secureConnect', () => resolve(socket)).once('error', reject)
  })

const closed = (socket: net.Socket) =>
  new Promise<void>((resolve) => {
    socket.on('error', () => undefined).once('close', () => resolve())
  })

test('an HTTP/1.1 request reaches the handler on the port of the streams', async () => {
  const { port } = await open()
  const answer = await new Promise<string>((resolve, reject) => {
    const options = { host: '127.0.0.1', port, servername: 'lodge', ca: authority.certificate }
    https
      .get({ ...options, path: '/api/agent/enroll', agent: false }, (response) => {
        response.setEncoding('utf8').on('data', resolve)
      })
      .on('error', reject)
  })
  expect(answer).toBe('GET /api/agent/enroll')
})

test('the chain contains the authority, so that an agent can pin it by its fingerprint alone', async () => {
  const { port } = await open()
  const socket = await shaken(secure(port, { ca: [], rejectUnauthorized: false }))
  const chain = socket.getPeerX509Certificate()
  expect(chain?.issuerCertificate?.fingerprint256.replaceAll(':', '').toLowerCase()).toBe(
    authority.fingerprint,
  )
  socket.destroy()
})

test('a renewed certificate applies to new connections, and old ones stay open', async () => {
  const { port, renew } = await open()
  const before = await shaken(secure(port))
  await renew(new Date(Date.now() + 3_600_000))
  const after = await shaken(secure(port))
  const serial = (socket: tls.TLSSocket) => socket.getPeerX509Certificate()?.serialNumber
  expect(serial(after)).not.toBe(serial(before))
  expect(after.authorized).toBe(true)
  expect(before.destroyed).toBe(false)
  before.destroy()
  after.destroy()
})

test.each(['TLSv1', 'TLSv1.1'] as const)(
  '%s is refused by the fleet port itself',
  async (version) => {
    const { port } = await open()
    const old = secure(port, {
      maxVersion: version,
      minVersion: version,
      ciphers: 'DEFAULT@SECLEVEL=0',
    })
    await expect(shaken(old)).rejects.toMatchObject({
      code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
    })
  },
)

test('a connection without a handshake is closed and does not block others', async () => {
  const { port } = await open({ handshakeTimeoutMs: 300, silentMs: 300 })
  const silent = net.connect(port, '127.0.0.1')
  const halting = net.connect(port, '127.0.0.1')
  halting.write('\x16')
  const gone = [closed(silent), closed(halting)]
  const socket = await shaken(secure(port))
  socket.destroy()
  await Promise.all(gone)
})

test('silent connections take no handshake slots', async () => {
  const { port } = await open({ concurrentHandshakes: 2 })
  const silent = Array.from({ length: 200 }, () => net.connect(port, '127.0.0.1'))
  await Promise.all(silent.map((s) => new Promise<void>((resolve) => s.once('connect', resolve))))
  const beganMs = performance.now()
  const socket = await shaken(secure(port))
  expect(performance.now() - beganMs).toBeLessThan(5_000)
  for (const one of [socket, ...silent]) one.destroy()
})

test('concurrent handshakes are limited, and the waiting ones all get their turn', async () => {
  const { port } = await open({ concurrentHandshakes: 2, handshakeTimeoutMs: 300 })
  // Two unfinished handshakes hold both places until they time out.
  const silent = [net.connect(port, '127.0.0.1'), net.connect(port, '127.0.0.1')]
  await Promise.all(
    silent.map((s) => new Promise<void>((resolve) => s.write('\x16', () => resolve()))),
  )
  const sockets = await Promise.all(Array.from({ length: 20 }, () => shaken(secure(port))))
  expect(sockets.every((socket) => socket.authorized)).toBe(true)
  for (const socket of [...sockets, ...silent]) socket.destroy()
})

test('the number of connections per address is limited', async () => {
  const { port, connections } = await open({ connectionsPerAddress: 3 })
  const sockets = []
  for (let at = 0; at < 3; at++) sockets.push(await shaken(secure(port)))
  await closed(secure(port))
  expect(connections()).toBe(3)
  const first = sockets.shift()
  const freed = first ? closed(first) : undefined
  first?.end()
  await freed
  sockets.push(await shaken(secure(port)))
  for (const socket of sockets) socket.destroy()
})

test('a request whose header trickles in is cut off', async () => {
  const { port } = await open({ headersTimeoutMs: 300 })
  const socket = await shaken(secure(port, { ALPNProtocols: ['http/1.1'] }))
  socket.write('GET / HTTP/1.1\r\nHost: lodge\r\nX-Slow: ')
  socket.resume()
  await closed(socket)
})

test.each([
  ['h2', 'streams'],
  ['http/1.1', 'requests'],
])('a connection of %s without %s is closed', async (protocol) => {
  const { port } = await open({ idleConnectionMs: 300, headersTimeoutMs: 300 })
  const socket = await shaken(secure(port, { ALPNProtocols: [protocol] }))
  socket.resume()
  await closed(socket)
})

test('a connection is closed by its address', async () => {
  const { port, cut } = await open()
  const socket = await shaken(secure(port))
  const gone = closed(socket)
  cut(`127.0.0.1:${socket.localPort}`)
  await gone
})
