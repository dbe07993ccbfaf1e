import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import type { Caller } from '../../support/caller.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import { type Lodge, ORIGIN, startLodge } from '../../support/stack.ts'
import { jobEnd, machineNode, makeVm, natNetwork } from '../../support/vm-world.ts'

let lodge: Lodge
let agent: RealAgent
let owner: Caller
let id: string
beforeAll(async () => {
  lodge = await startLodge()
  owner = await lodge.customer()
  agent = (await machineNode(lodge)).agent
  await natNetwork(lodge)
  id = (await makeVm(lodge, owner.id, { start: true })).id
})
afterAll(async () => {
  await agent?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

type Kind = 'vnc' | 'serial'

async function ticketFor(kind: Kind, caller = owner): Promise<string> {
  await lodge.database.pool.query('truncate rate_limits')
  const given = { params: { id }, body: { kind } }
  return (await caller.must('POST /api/servers/{id}/vm/console-ticket', given)).ticket
}

/** The response to a browser with this ticket: the first bytes, or the problem. */
async function use(caller: Caller, ticket: string, kind: Kind, origin = ORIGIN): Promise<string> {
  const socket = new WebSocket(
    `${lodge.url.replace('http', 'ws')}/api/relay`,
    [`lodge.${kind}.v1`, `ticket.${ticket}`],
    { headers: { origin, cookie: `panel_session=${caller.cookie}` } },
  )
  const outcome = await new Promise<string>((resolve) => {
    socket.on('unexpected-response', (_request, response: IncomingMessage) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve(`${response.statusCode} ${JSON.parse(text).code}`))
    })
    socket.on('error', (error) => resolve(error.message))
    socket.on('close', (code) => resolve(`closed ${code}`))
    socket.on('message', (bytes) => resolve(String(bytes)))
    if (kind === 'serial') socket.on('open', () => resolve('open'))
  })
  socket.terminate()
  return outcome
}

test('a screen ticket shows the screen once', async () => {
  const ticket = await ticketFor('vnc')
  expect(await use(owner, ticket, 'vnc')).toBe('RFB 003.008\n')
  expect(await use(owner, ticket, 'vnc')).toBe('400 invalid_token')
  const line = await ticketFor('serial')
  expect(await use(owner, line, 'serial')).toBe('open')
  expect(await use(owner, line, 'serial')).toBe('400 invalid_token')
})

test('a stolen screen ticket is useless to the thief, and afterwards to everybody', async () => {
  for (const kind of ['vnc', 'serial'] as const)
    for (const thief of [
      await lodge.customer(),
      await lodge.session(owner.id),
      await lodge.admin(),
    ]) {
      const ticket = await ticketFor(kind)
      expect(await use(thief, ticket, kind)).toBe('400 invalid_token')
      expect(await use(owner, ticket, kind)).toBe('400 invalid_token')
    }
  const ticket = await ticketFor('vnc')
  expect(await use(owner, ticket, 'vnc', 'https://evil.example')).toBe('403 origin_mismatch')
})

test('a serial ticket shows no screen, and the reverse', async () => {
  expect(await use(owner, await ticketFor('serial'), 'vnc')).not.toContain('RFB')
  expect(await use(owner, await ticketFor('vnc'), 'serial')).not.toBe('open')
})

test('a ticket older than half a minute shows nothing', async () => {
  const ticket = await ticketFor('vnc')
  await lodge.database.pool.query(
    `update console_tickets set expires_at = expires_at - interval '31 seconds'`,
  )
  expect(await use(owner, ticket, 'vnc')).toBe('400 invalid_token')
})

test('a screen is hidden from those who may not see it, and a machine that is off has none', async () => {
  const stranger = await lodge.customer()
  const given = { params: { id }, body: { kind: 'vnc' as const } }
  const call = 'POST /api/servers/{id}/vm/console-ticket' as const
  expect(await stranger.call(call, given)).toMatchObject({ status: 404 })
  const ticket = await ticketFor('vnc')
  const { jobId } = await owner.must('POST /api/servers/{id}/actions', {
    params: { id },
    body: { action: 'kill', confirm: true },
  })
  await jobEnd(owner, jobId, 'done')
  expect(await owner.call(call, given)).toMatchObject({
    status: 409,
    body: { code: 'invalid_state' },
  })
  expect(await use(owner, ticket, 'vnc')).not.toContain('RFB')
})
