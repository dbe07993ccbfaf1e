import http from 'node:http'
import net from 'node:net'
import type { Duplex } from 'node:stream'
import tls from 'node:tls'
import type { RelayOpen } from '@lodge/proto/fleet.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/support/database.ts'
import { Problem } from '../../problem.ts'
import { CREDENTIAL, type Fixture, openFixture, type TestAgent } from '../fleet.fixture.ts'
import { Ear } from './ear.fixture.ts'
import type { RelayTarget } from './relay.ts'

let database: FreshDatabase
let fixture: Fixture
let panel: Panel
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  fixture = await openFixture(database.application.pool, {
    options: { relayTicketMs: 1_000, relaysPerUser: 3 },
  })
  panel = await openPanel(() => fixture)
})
afterEach(async () => {
  await fixture.stop()
  await panel.stop()
})

const uuid = () => crypto.randomUUID()
const target = (nodeId: string, more: Partial<RelayTarget> = {}): RelayTarget => ({
  nodeId,
  serverId: uuid(),
  kind: 'console',
  mayWrite: true,
  userKey: 'ann',
  sessionKey: 'ann-1',
  protocol: 'lodge',
  ...more,
})

interface Panel {
  readonly port: number
  /** Where the next browser is to be connected. */
  target: RelayTarget
  /** Result of opening the newest relay. */
  opened: Promise<void>
  stop(): Promise<void>
}

/** The HTTP side: passes raw upgrade requests to the fleet and answers refusals. */
async function openPanel(fixtureOf: () => Fixture): Promise<Panel> {
  const server = http.createServer()
  const sockets = new Set<Duplex>()
  server.on('upgrade', (request, socket, head) => {
    sockets.add(socket)
    panel.opened = fixtureOf().fleet.openRelay(panel.target, request, socket, head)
    panel.opened.catch((problem: unknown) => {
      const status = problem instanceof Problem ? problem.status : 500
      socket.end(`HTTP/1.1 ${status} No\r\nConnection: close\r\n\r\n`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    target: target(uuid()),
    opened: Promise.resolve(),
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A browser that requests a WebSocket, with all the headers a browser sends. */
function browser(): Ear {
  const ear = new Ear(net.connect(panel.port, '127.0.0.1'))
  ear.socket.write(
    [
      'GET /api/relay?ticket=secret HTTP/1.1',
      'Host: panel.example.org',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Cookie: lodge_session=very-secret',
      'Authorization: Bearer very-secret',
      'Origin: https://panel.example.org',
      'X-Forwarded-For: 203.0.113.7',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Protocol: lodge, ticket.very-secret',
      '\r\n',
    ].join('\r\n'),
  )
  return ear
}

/** The agent's own connection for a relay. */
function dial(
  agent: TestAgent,
  relay: Pick<RelayOpen, 'sessionId' | 'ticket'>,
  more: { nodeId?: string; credential?: string; upgrade?: string; port?: number } = {},
): Ear {
  const socket = tls.connect({
    host: '127.0.0.1',
    port: more.port ?? fixture.fleet.port,
    ca: fixture.fleet.caCertificate,
    servername: 'lodge',
    ALPNProtocols: ['http/1.1'],
  })
  socket.write(
    [
      `GET /agent/relay/${relay.sessionId} HTTP/1.1`,
      'Host: lodge',
      'Connection: Upgrade',
      `Upgrade: ${more.upgrade ?? 'lodge-relay'}`,
      `Authorization: Bearer ${more.credential ?? CREDENTIAL}`,
      `X-Node-ID: ${more.nodeId ?? agent.nodeId}`,
      `X-Relay-Ticket: ${relay.ticket}`,
      '\r\n',
    ].join('\r\n'),
  )
  return new Ear(socket)
}

/** A node's response to the handshake of `browser()`. */
const SWITCHING =
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: lodge\r\n\r\n'

/** A browser and an agent connected by a relay. */
async function joined(more: Partial<RelayTarget> = {}) {
  const agent = await fixture.connected()
  panel.target = target(agent.nodeId, more)
  const person = browser()
  const node = dial(agent, await agent.next('relayOpen'))
  await node.hears('Sec-WebSocket-Key')
  node.socket.write(SWITCHING)
  await panel.opened
  return { agent, person, node }
}

describe('an open relay', () => {
  test('carries bytes both ways unchanged', async () => {
    const { person, node } = await joined()
    expect(node.text).toContain('HTTP/1.1 101 Switching Protocols')
    expect(node.text).toContain('GET /relay/console HTTP/1.1')
    await person.hears('Upgrade: websocket')
    person.socket.write('ping \u0000\u00ff', 'latin1')
    await node.hears('ping \u0000\u00ff')
    node.socket.write('pong')
    await person.hears('pong')
    expect(fixture.fleet.metrics().openRelays).toBe(1)
  })

  test('sends the node nothing that identifies the person', async () => {
    const { node } = await joined()
    expect(node.text).not.toMatch(/secret|panel\.example|203\.0\.113|ticket/)
    expect(node.text).toContain('Sec-WebSocket-Protocol: lodge\r\n')
  })

  test('closes both ends when either disconnects', async () => {
    const first = await joined()
    first.node.socket.end()
    await first.person.closed
    const second = await joined()
    second.person.socket.destroy()
    await second.node.closed
    expect(fixture.fleet.metrics().openRelays).toBe(0)
  })

  test('CVE-2025-69199: is read no faster than the slower end accepts it', async () => {
    const { person, node } = await joined()
    person.socket.pause()
    // What other tests left is not of this relay.
    const { arrayBuffers: before } = process.memoryUsage()
    const chunk = Buffer.alloc(65_536)
    let written = 0
    while (node.socket.write(chunk) || written < 16) written += 1
    // Backpressure keeps unread bytes at the sender: far fewer than it would send are in flight.
    const total = 64 * 2 ** 20
    for (let sent = written * chunk.length; sent < total; sent += chunk.length) {
      node.socket.write(chunk)
    }
    await new Promise((resolve) => setImmediate(resolve))
    expect(node.socket.writableLength).toBeGreaterThan(total / 4)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(3 * total)
    person.socket.resume()
    await new Promise((resolve) => node.socket.once('drain', resolve))
    expect(node.socket.writableLength).toBe(0)
  })
})

describe('what a node answers', () => {
  test('does not reach the browser, which receives a response of ours', async () => {
    const agent = await fixture.connected()
    panel.target = target(agent.nodeId)
    const person = browser()
    const node = dial(agent, await agent.next('relayOpen'))
    await node.hears('Sec-WebSocket-Key')
    const planted = 'Set-Cookie: panel_session=planted\r\nClear-Site-Data: "*"\r\n'
    node.socket.write(`${SWITCHING.replace('Connection:', `${planted}Connection:`)}first`)
    await person.hears('first')
    expect(person.text).toBe(`${SWITCHING}first`)
  })

  test.each([
    ['a page in place of the handshake', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'],
    ['a redirect', 'HTTP/1.1 302 Found\r\nLocation: https://evil.example\r\n\r\n'],
    ['a wrong accept key', SWITCHING.replace('s3pPL', 's3pPM')],
    ['no accept key', SWITCHING.replace(/Sec-WebSocket-Accept.*\r\n/, '')],
    ['another protocol', SWITCHING.replace('Upgrade: websocket', 'Upgrade: h2c')],
    ['another subprotocol', SWITCHING.replace('l: lodge', 'l: other')],
    ['an extension', SWITCHING.replace('Upgrade:', 'Sec-WebSocket-Extensions: x\r\nUpgrade:')],
    [
      'a head that is too long',
      SWITCHING.replace('Upgrade:', `X: ${'x'.repeat(9_000)}\r\nUpgrade:`),
    ],
    ['something else than HTTP', 'RFB 003.008\n'],
    ['a head without end', 'HTTP/1.1 101 Switching Protocols\r\n', '504'],
  ])(
    'with %s closes both ends, and the browser gets a response of ours',
    async (_name, said, status = '502') => {
      const agent = await fixture.connected()
      panel.target = target(agent.nodeId)
      const person = browser()
      const node = dial(agent, await agent.next('relayOpen'))
      await node.hears('Sec-WebSocket-Key')
      node.socket.write(said)
      await Promise.all([person.closed, node.closed])
      expect(person.text).toBe(`HTTP/1.1 ${status} No\r\nConnection: close\r\n\r\n`)
      expect(fixture.fleet.metrics().openRelays).toBe(0)
    },
  )

  test('is no longer awaited once the permission is withdrawn', async () => {
    const agent = await fixture.connected()
    panel.target = target(agent.nodeId)
    const person = browser()
    const node = dial(agent, await agent.next('relayOpen'))
    await node.hears('Sec-WebSocket-Key')
    fixture.fleet.closeRelays({ userKey: 'ann' })
    await person.hears('403')
    await node.closed
  })
})

describe('revocation', () => {
  test.each([
    ['the person', { userKey: 'ann' }],
    ['the session', { sessionKey: 'ann-1' }],
  ])('of %s closes what matches and nothing else', async (_name, match) => {
    const ann = await joined()
    const bob = await joined({ userKey: 'bob', sessionKey: 'bob-1' })
    const beganMs = performance.now()
    expect(fixture.fleet.closeRelays(match)).toBe(1)
    await Promise.all([ann.person.closed, ann.node.closed])
    expect(performance.now() - beganMs).toBeLessThan(2_000)
    bob.person.socket.write('still here')
    await bob.node.hears('still here')
  })

  test('of a credential closes what was dialled with it, and not what was dialled with the next', async () => {
    const { agent, person, node } = await joined()
    await fixture.fleet.disconnectNode(agent.nodeId, fixture.domain.epoch)
    person.socket.write('still here')
    await node.hears('still here')
    await fixture.fleet.disconnectNode(agent.nodeId, fixture.domain.epoch + 1)
    await Promise.all([person.closed, node.closed])
  })

  test('of rights spares what was opened with those of now', async () => {
    const older = await joined({ rights: 'read,write' })
    const newer = await joined({ rights: 'read' })
    expect(fixture.fleet.closeRelays({ userKey: 'ann', rightsNow: 'read' })).toBe(1)
    await Promise.all([older.person.closed, older.node.closed])
    newer.person.socket.write('still here')
    await newer.node.hears('still here')
  })

  test('refuses an agent that dials for a revoked relay', async () => {
    const agent = await fixture.connected()
    panel.target = target(agent.nodeId)
    const person = browser()
    const relay = await agent.next('relayOpen')
    fixture.fleet.closeRelays({ userKey: 'ann' })
    await person.hears('403')
    const late = dial(agent, relay)
    await late.hears('404')
  })

  test('with an empty match closes nothing', async () => {
    const { person, node } = await joined()
    expect(fixture.fleet.closeRelays({})).toBe(0)
    person.socket.write('still here')
    await node.hears('still here')
  })
})

describe('what is refused', () => {
  test.each([
    ['another ticket', { ticket: 'x' }, {}, '404'],
    ['another relay', { sessionId: uuid() }, {}, '404'],
    ['another node', {}, { nodeId: uuid() }, '404'],
    ['a wrong credential', {}, { credential: 'quite-another-credential' }, '401'],
    ['another protocol', {}, { upgrade: 'websocket' }, '404'],
  ])('a connection with %s', async (_name, wrong, more, code) => {
    const agent = await fixture.connected()
    panel.target = target(agent.nodeId)
    const person = browser()
    const relay = await agent.next('relayOpen')
    const thief = dial(agent, { ...relay, ...wrong }, more)
    await thief.hears(code)
    await thief.closed
    expect(person.text).toBe('')
  })

  test('a ticket used a second time, however quickly', async () => {
    const agent = await fixture.connected()
    panel.target = target(agent.nodeId)
    browser()
    const relay = await agent.next('relayOpen')
    const ears = Array.from({ length: 10 }, () => dial(agent, relay))
    await Promise.all(ears.map((ear) => ear.hears('HTTP/1.1')))
    const [lucky, ...others] = ears.filter((ear) => ear.text.includes('101 Switching'))
    expect(others).toEqual([])
    lucky?.socket.write(SWITCHING)
    await panel.opened
  })

  test('an agent that does not dial in time, with a response to the browser', async () => {
    const agent = await fixture.connected()
    panel.target = target(agent.nodeId)
    const person = browser()
    const relay = await agent.next('relayOpen')
    await person.hears('504')
    const late = dial(agent, relay)
    await late.hears('404')
  })

  test('a node that is not connected', async () => {
    const person = browser()
    await person.hears('503')
  })

  test('CVE-2025-69199: more relays than a person may have', async () => {
    await joined()
    await joined()
    await joined()
    const fourth = browser()
    await fourth.hears('409')
    expect(fixture.fleet.openRelays()).toHaveLength(3)
  })
})

test('a browser that disconnects while waiting, leaving nothing behind', async () => {
  const agent = await fixture.connected()
  panel.target = target(agent.nodeId)
  const person = browser()
  const relay = await agent.next('relayOpen')
  person.socket.destroy()
  await expect(panel.opened).rejects.toMatchObject({ code: 'node_unavailable' })
  const late = dial(agent, relay)
  await late.hears('404')
  expect(fixture.fleet.metrics().openRelays).toBe(0)
})

test('a relay to a node whose stream another instance holds is dialled to the requesting instance', async () => {
  const address = 'control-plane-2.example.org:8443'
  const asking = await openFixture(database.application.pool, { instanceAddress: address })
  const panelThere = panel
  panel = await openPanel(() => asking)
  const agent = await fixture.connected()
  panel.target = target(agent.nodeId)
  const person = browser()
  const relay = await agent.next('relayOpen')
  expect(relay.address).toBe(address)
  const socket = tls.connect({
    host: '127.0.0.1',
    port: asking.fleet.port,
    ca: asking.fleet.caCertificate,
    servername: 'lodge',
  })
  socket.write(
    `GET /agent/relay/${relay.sessionId} HTTP/1.1\r\nHost: lodge\r\nConnection: Upgrade\r\nUpgrade: lodge-relay\r\nAuthorization: Bearer ${CREDENTIAL}\r\nX-Node-ID: ${agent.nodeId}\r\nX-Relay-Ticket: ${relay.ticket}\r\n\r\n`,
  )
  const node = new Ear(socket)
  await node.hears('Sec-WebSocket-Key')
  node.socket.write(`${SWITCHING}hello from afar`)
  await person.hears('hello from afar')
  await asking.stop()
  await panel.stop()
  panel = panelThere
})
