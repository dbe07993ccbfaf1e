import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, ORIGIN, startLodge } from '../../support/stack.ts'
import type { StandInAgent } from '../../support/stand-in-agent.ts'

let lodge: Lodge
let admin: Caller
let ann: Caller
let agent: StandInAgent
let serverId: string
let other: string
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  ann = await lodge.customer()
  const template = await lodge.template()
  const node = await lodge.node()
  agent = await lodge.standIn(node)
  const make = () => lodge.server({ ownerId: ann.id, templateId: template.id, nodeId: node.id })
  serverId = await make()
  other = await make()
})
afterAll(() => lodge[Symbol.asyncDispose]())

async function ticketFor(caller: Caller, id = serverId): Promise<string> {
  await lodge.database.pool.query('truncate rate_limits')
  const { ticket } = await caller.must('POST /api/servers/{id}/console-ticket', {
    params: { id },
    body: {},
  })
  return ticket
}

/** Opens a console as a browser does; returns the problem if there is one. */
function requestConsole(
  caller: Caller | undefined,
  ticket: string | undefined,
  given: { origin?: string; url?: string } = {},
): { socket: WebSocket; refused: Promise<string> } {
  const protocols = ['lodge.console.v1', ...(ticket === undefined ? [] : [`ticket.${ticket}`])]
  const address = `${lodge.url.replace('http', 'ws')}${given.url ?? '/api/relay'}`
  const socket = new WebSocket(address, protocols, {
    headers: {
      origin: given.origin ?? ORIGIN,
      ...(caller && { cookie: `panel_session=${caller.cookie}` }),
    },
  })
  socket.on('error', () => undefined)
  const refused = new Promise<string>((resolve) => {
    socket.on('unexpected-response', (_request, response: IncomingMessage) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve(`${response.statusCode} ${JSON.parse(text).code}`))
    })
  })
  return { socket, refused }
}

/** The problem, or the fact that the request for a console reached the node. */
async function open(...given: Parameters<typeof requestConsole>): Promise<string> {
  const before = agent.line?.count('relayOpen') ?? 0
  const { socket, refused } = requestConsole(...given)
  const relayed = agent.line?.heardCount('relayOpen', before + 1).then(() => 'asked the node')
  const outcome = await Promise.race([refused, relayed])
  socket.terminate()
  return outcome ?? 'no agent'
}

test('a ticket opens the console of its server once, read and write', async () => {
  const ticket = await ticketFor(ann)
  expect(ticket).toMatch(/^[\w-]{43}$/)
  const { rows } = await lodge.database.pool.query(
    `select expires_at - now() <= interval '30 seconds' as soon, token_hash from console_tickets`,
  )
  expect(rows).toEqual([{ soon: true, token_hash: expect.not.stringContaining(ticket) }])
  expect(await open(ann, ticket)).toBe('asked the node')
  expect(agent.line?.heard.at(-1)).toMatchObject({
    $case: 'relayOpen',
    value: { serverId, kind: 'console', mayWrite: true },
  })
  expect(await open(ann, ticket)).toBe('400 invalid_token')
})

test('of twenty simultaneous uses one succeeds', async () => {
  const ticket = await ticketFor(ann)
  const before = agent.line?.count('relayOpen') ?? 0
  const refusals: string[] = []
  const uses = Array.from({ length: 20 }, () => requestConsole(ann, ticket))
  for (const { refused } of uses) void refused.then((refusal) => refusals.push(refusal))
  await expect.poll(() => refusals.length).toBe(19)
  await agent.line?.heardCount('relayOpen', before + 1)
  expect(new Set(refusals)).toEqual(new Set(['400 invalid_token']))
  expect(agent.line?.count('relayOpen')).toBe(before + 1)
  for (const { socket } of uses) socket.terminate()
})

test('a ticket is useless to anybody else and to other sessions', async () => {
  for (const thief of [await lodge.customer(), await lodge.session(ann.id), admin]) {
    const ticket = await ticketFor(ann)
    expect(await open(thief, ticket)).toBe('400 invalid_token')
    // Trying a stolen ticket consumes it.
    expect(await open(ann, ticket)).toBe('400 invalid_token')
  }
  expect(await open(undefined, await ticketFor(ann))).toBe('401 authentication_required')
})

test('a ticket expires after half a minute', async () => {
  const ticket = await ticketFor(ann)
  await lodge.database.pool.query(
    `update console_tickets set expires_at = expires_at - interval '31 seconds'`,
  )
  expect(await open(ann, ticket)).toBe('400 invalid_token')
})

test('A8: only pages of the panel itself open a console', async () => {
  const ticket = await ticketFor(ann)
  for (const origin of [
    'null',
    'https://evil.example',
    `${ORIGIN}.evil.example`,
    ORIGIN.replace('https', 'http'),
  ])
    expect(await open(ann, ticket, { origin })).toBe('403 origin_mismatch')
  expect(await open(ann, ticket)).toBe('asked the node')
})

test('an invalid ticket opens nothing', async () => {
  for (const ticket of [undefined, '', 'x', 'x'.repeat(4000)])
    expect(await open(ann, ticket)).toBe('400 invalid_token')
  expect(await open(ann, 'x', { url: '/api/other' })).toBe('404 not_found')
})

test('a ticket of a server that has a new owner opens nothing', async () => {
  const ticket = await ticketFor(ann, other)
  const bob = await lodge.customer()
  await lodge.database.pool.query('update servers set owner_id = $1 where id = $2', [bob.id, other])
  expect(await open(ann, ticket)).toBe('404 not_found')
})

test('a suspended server shows its console and accepts no input', async () => {
  const params = { id: serverId }
  await admin.must('POST /api/servers/{id}/actions', { params, body: { action: 'suspend' } })
  expect(await open(ann, await ticketFor(ann))).toBe('asked the node')
  expect(agent.line?.heard.at(-1)).toMatchObject({ value: { mayWrite: false } })
  expect(
    await ann.call('POST /api/servers/{id}/command', { params, body: { command: 'say hello' } }),
  ).toMatchObject({ status: 409, body: { code: 'hold_active' } })
})

test('a server on a disconnected node issues no tickets', async () => {
  agent.close()
  const params = { id: serverId }
  await expect
    .poll(async () => (await ann.must('GET /api/servers/{id}', { params })).nodeOnline)
    .toBe(false)
  await lodge.database.pool.query('truncate rate_limits')
  const answer = await ann.call('POST /api/servers/{id}/console-ticket', { params, body: {} })
  expect(answer).toMatchObject({ status: 503, body: { code: 'node_unavailable' } })
})
