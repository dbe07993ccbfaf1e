import { once } from 'node:events'
import net from 'node:net'
import tls from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Nginx, startNginx } from '../../support/nginx.ts'
import { type JoinedNode, type Lodge, ORIGIN, startLodge } from '../../support/stack.ts'
import type { StandInAgent } from '../../support/stand-in-agent.ts'

let lodge: Lodge
let nginx: Nginx
let node: JoinedNode
let agent: StandInAgent
let owner: Caller
let serverId: string

beforeAll(async () => {
  lodge = await startLodge({ environment: { LODGE_TRUSTED_PROXIES: '127.0.0.1' } })
  nginx = await startNginx({ upstream: lodge.controlPlane.port })
  node = await lodge.node()
  agent = await lodge.standIn(node)
  owner = await lodge.customer()
  const { id: templateId } = await lodge.template()
  serverId = await lodge.server({ templateId, ownerId: owner.id, nodeId: node.id, start: true })
  await agent.heard(serverId)
})
afterAll(async () => {
  await nginx?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

/** A connection to nginx; records the response as text. */
function caller(head: readonly string[]) {
  const socket = net.connect(nginx.port, '127.0.0.1')
  const got = { text: '', ended: once(socket, 'close') }
  socket.setEncoding('latin1').on('data', (text) => {
    got.text += text
  })
  socket.write([...head, '\r\n'].join('\r\n'))
  return got
}

const signedIn = (person: Caller) => [
  `Host: ${new URL(ORIGIN).host}`,
  `Origin: ${ORIGIN}`,
  `Cookie: panel_session=${person.cookie}`,
]

/** A node that connects for the console and answers the browser's handshake with a page. */
async function rogue(answer: string) {
  const relay = await agent.line?.next('relayOpen')
  const { port, caCertificate } = lodge.controlPlane.services.fleet
  const socket = tls.connect({ port, ca: caCertificate, servername: 'lodge' })
  const got = { text: '', ended: once(socket, 'close') }
  socket.on('error', () => undefined)
  socket.setEncoding('latin1').on('data', (text: string) => {
    got.text += text
    if (text.includes('GET /relay/')) socket.write(answer)
  })
  socket.write(
    [
      `GET /agent/relay/${relay?.sessionId} HTTP/1.1`,
      'Host: lodge',
      'Connection: Upgrade',
      'Upgrade: lodge-relay',
      `Authorization: Bearer ${node.credential}`,
      `X-Node-ID: ${node.id}`,
      `X-Relay-Ticket: ${relay?.ticket}`,
      '\r\n',
    ].join('\r\n'),
  )
  return got
}

test('a node that answers a console with a page never receives the next request from a proxy with keep-alive', async () => {
  const { ticket } = await owner.must('POST /api/servers/{id}/console-ticket', {
    params: { id: serverId },
    body: {},
  })
  const browser = caller([
    'GET /api/relay HTTP/1.1',
    ...signedIn(owner),
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `Sec-WebSocket-Protocol: lodge.console.v1, ticket.${ticket}`,
  ])
  const planted = 'panel_session=planted'
  const answer = `HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\nSet-Cookie: ${planted}\r\n\r\nhi`
  const node = await rogue(answer)
  await node.ended
  await expect.poll(() => browser.text).toMatch(/^HTTP\/1\.1 502 /)
  expect(browser.text).toContain('node_protocol_error')
  expect(browser.text).not.toContain(planted)

  // As many requests as nginx had connections to choose from.
  const victim = await lodge.customer()
  const others = Array.from({ length: 16 }, () =>
    caller(['GET /api/auth/me HTTP/1.1', ...signedIn(victim), 'Connection: close']),
  )
  for (const other of others) {
    await other.ended
    expect(other.text).toMatch(/^HTTP\/1\.1 200 /)
    expect(other.text).toContain(victim.email)
  }
  expect(node.text).not.toContain(victim.cookie)
})
