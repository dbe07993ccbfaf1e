import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { type Duplex, PassThrough } from 'node:stream'
import tls from 'node:tls'
import type { RelayOpen } from '@lodge/proto/fleet.ts'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { until } from '../../../test/support/until.ts'
import { makeCertificate } from './certificate.ts'
import { dialDirectly } from './dial.ts'
import { DIRECT_PROTOCOL } from './greeting.ts'
import { DirectGuests, type DirectPort, openDirectPort } from './port.ts'
import { reachNodes } from './reach.ts'

const log = pino({ level: 'silent' })
const host = makeCertificate()
const guest = makeCertificate()
const stranger = makeCertificate()
const PROOF_MS = 1_500
const WITHIN_MS = 60_000

let guests: DirectGuests
let port: DirectPort
/** What the host has accepted. */
let accepted: Duplex[]
beforeEach(async () => {
  guests = new DirectGuests()
  accepted = []
  port = await openDirectPort({ port: 0, certificate: host, guests, log, proofMs: PROOF_MS })
})
afterEach(() => {
  port.close()
  for (const socket of accepted) socket.destroy()
})

function invite({ fingerprint } = guest, withinMs = WITHIN_MS): string {
  const ticket = randomBytes(32).toString('base64url')
  guests.expect({ ticket, fingerprint, withinMs }, (socket) => {
    accepted.push(socket)
    socket.resume().pipe(socket)
  })
  return ticket
}
const address = () => `127.0.0.1:${port.port}`
const dial = (ticket: string, as = guest) =>
  dialDirectly(as, { address: address(), ticket, fingerprint: host.fingerprint })
async function echoed(socket: Duplex, bytes: Buffer): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  socket.on('data', (part: Buffer) => {
    parts.push(part)
    length += part.length
  })
  socket.resume()
  socket.write(bytes)
  while (length < bytes.length) await once(socket, 'data')
  return Buffer.concat(parts)
}
/** A connection that has shown the certificate of the guest. */
async function shown(as = guest, localAddress?: string): Promise<tls.TLSSocket> {
  const { cert, key } = as
  const socket = tls.connect({
    ...{ cert, key, port: port.port, host: '127.0.0.1' },
    ...(localAddress !== undefined && { localAddress }),
    rejectUnauthorized: false,
    ALPNProtocols: [DIRECT_PROTOCOL],
  })
  socket.on('error', () => undefined)
  await once(socket, 'secureConnect')
  return socket
}
const hungUp = (socket: net.Socket) =>
  socket.destroyed ? Promise.resolve() : new Promise((done) => socket.resume().once('close', done))

describe('the port for transfers', () => {
  test('connects the node that is expected, and every byte passes', async () => {
    const socket = await dial(invite())
    const bytes = randomBytes(3_000_000)
    expect((await echoed(socket, bytes)).equals(bytes)).toBe(true)
    socket.destroy()
  })

  test('takes a ticket once', async () => {
    const ticket = invite()
    invite()
    const socket = await dial(ticket)
    await expect(dial(ticket)).rejects.toThrow('hung up')
    expect(accepted).toHaveLength(1)
    socket.destroy()
  })

  test('a stolen ticket opens nothing, and still lets its own node in', async () => {
    const ticket = invite()
    await expect(dial(ticket, stranger)).rejects.toThrow('hung up')
    // One that is expected too, for something else.
    invite(stranger)
    await expect(dial(ticket, stranger)).rejects.toThrow('hung up')
    const bare = tls.connect({ port: port.port, host: '127.0.0.1', rejectUnauthorized: false })
    bare.on('error', () => undefined)
    bare.write(`${ticket}\n`)
    await hungUp(bare)
    expect(accepted).toEqual([])
    const socket = await dial(ticket)
    socket.destroy()
  })

  test('an invented ticket opens nothing, nor does one after its time', async () => {
    invite()
    await expect(dial(randomBytes(32).toString('base64url'))).rejects.toThrow('hung up')
    const late = invite(guest, 1)
    await new Promise((done) => setTimeout(done, 5))
    await expect(dial(late)).rejects.toThrow('hung up')
    expect(accepted).toEqual([])
  })

  test('whoever says too much, too little or something else is hung up on', async () => {
    const ticket = invite()
    for (const said of [`${ticket}\nGET / HTTP/1.1`, 'x'.repeat(200), 'GET / HTTP/1.1\r\n\r\n']) {
      const socket = await shown()
      socket.write(said)
      await hungUp(socket)
    }
    const silent = [await shown(), net.connect(port.port, '127.0.0.1')]
    for (const socket of silent) await hungUp(socket)
    expect(accepted).toEqual([])
    const socket = await dial(ticket)
    socket.destroy()
  })

  test('nobody gets as far as a handshake while no node is expected', async () => {
    await expect(shown()).rejects.toThrow()
    await expect(dial('x')).rejects.toThrow()
  })

  test('many connections that prove nothing do not keep it from a node for longer than they may', async () => {
    const ticket = invite()
    const many = Array.from({ length: 100 }, () => net.connect(port.port, '127.0.0.1'))
    await Promise.race(many.map((socket) => once(socket, 'connect')))
    const ends = many.map(hungUp)
    await Promise.all(ends.slice(8))
    await expect(dial(ticket)).rejects.toThrow()
    await Promise.all(ends)
    const socket = await dial(ticket)
    socket.destroy()
  })

  test('N3: whoever holds all the connections of one address takes none from another', async () => {
    const ticket = invite()
    const many = Array.from({ length: 20 }, () => net.connect(port.port, '127.0.0.1'))
    const ends = many.map(hungUp)
    await Promise.all(ends.slice(8))
    const socket = await shown(guest, '127.0.0.2')
    socket.write(`${ticket}\n`)
    expect(String((await once(socket, 'data'))[0])).toBe('welcome\n')
    expect(accepted).toHaveLength(1)
    for (const one of [socket, ...many]) one.destroy()
    await Promise.all(ends)
  })

  test('a transfer goes on when the port is closed', async () => {
    const socket = await dial(invite())
    port.close()
    await expect(dial(invite())).rejects.toThrow('ECONNREFUSED')
    const bytes = randomBytes(100_000)
    expect((await echoed(socket, bytes)).equals(bytes)).toBe(true)
    socket.destroy()
  })
})

describe('a node that connects', () => {
  const relay = { sessionId: 'through the control plane' } as RelayOpen
  let nowMs = 0
  let tried = 0
  const reach = () =>
    reachNodes({
      dial: async () => new PassThrough(),
      dialDirectly: (to) => {
        tried += 1
        return dialDirectly(guest, to, 500)
      },
      nowMs: () => nowMs,
      log,
    })
  beforeEach(() => {
    nowMs = 0
    tried = 0
  })
  const direct = (given: object = {}) => ({
    ...{ address: address(), ticket: invite(), fingerprint: host.fingerprint },
    ...given,
  })

  test('goes directly where that works, else through the control plane', async () => {
    const go = reach()
    const there = await go({ relay, direct: direct() })
    expect(there.isDirect).toBe(true)
    there.socket.destroy()
    expect((await go({ relay, direct: undefined })).isDirect).toBe(false)
    const closed = net.createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port: nowhere } = closed.address() as AddressInfo
    closed.close()
    await once(closed, 'close')
    const lost = { relay, direct: direct({ address: `127.0.0.1:${nowhere}` }) }
    expect((await go(lost)).isDirect).toBe(false)
  })

  test('reaches a node that hears of it a moment later', async () => {
    const ticket = randomBytes(32).toString('base64url')
    const going = reach()({ relay, direct: { ...direct(), ticket } })
    await until(() => tried === 2)
    guests.expect({ ticket, fingerprint: guest.fingerprint, withinMs: WITHIN_MS }, (socket) => {
      accepted.push(socket)
    })
    const { isDirect, socket } = await going
    expect(isDirect).toBe(true)
    socket.destroy()
  })

  test('does not wait for a node that never answers, and tries it again only after a while', async () => {
    const held: net.Socket[] = []
    const silent = net.createServer((socket) => held.push(socket)).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const to = { address: `127.0.0.1:${(silent.address() as AddressInfo).port}` }
    const go = reach()
    expect((await go({ relay, direct: direct(to) })).isDirect).toBe(false)
    nowMs = 30_000
    expect((await go({ relay, direct: direct(to) })).isDirect).toBe(false)
    expect(tried).toBe(1)
    nowMs = 61_000
    await go({ relay, direct: direct(to) })
    expect(tried).toBe(2)
    for (const socket of held) socket.destroy()
    silent.close()
  })

  test('tells its ticket to nobody but the node that is meant', async () => {
    const heard: string[] = []
    const impostor = tls.createServer({
      ...{ cert: stranger.cert, key: stranger.key, ALPNProtocols: [DIRECT_PROTOCOL] },
      ...{ requestCert: true, rejectUnauthorized: false },
    })
    impostor.on('secureConnection', (socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (bytes) => heard.push(String(bytes)))
    })
    impostor.listen(0, '127.0.0.1')
    await once(impostor, 'listening')
    const to = { address: `127.0.0.1:${(impostor.address() as AddressInfo).port}` }
    await expect(dialDirectly(guest, { ...direct(to) })).rejects.toThrow('another machine')
    expect(heard).toEqual([])
    impostor.close()
  })
})
