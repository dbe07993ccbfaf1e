import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { DOCUMENT, type Lodge, startLodge } from '../../support/stack.ts'
import { share } from '../support/share.ts'

let lodge: Lodge
let owner: Caller
let id: string

const VARIABLES = [
  ...(DOCUMENT.variables ?? []),
  { name: 'Password', env: 'RCON', default: 'correct-horse-battery', secret: true },
]

beforeAll(async () => {
  lodge = await startLodge()
  owner = await lodge.customer()
  const agent = await lodge.standIn(await lodge.joinedNode())
  agent.logs = [
    'RCON opened with correct-horse-battery',
    'GET / Authorization: Bearer x9x9',
    'ann@example.com joined from 8.8.8.8',
    'Done (3.1s)!',
  ]
  const { id: templateId } = await lodge.template({ variables: VARIABLES })
  id = await lodge.server({ ownerId: owner.id, templateId, nodeId: agent.nodeId, start: false })
})
afterAll(() => lodge?.[Symbol.asyncDispose]())

const diagnostics = (caller: Caller) =>
  caller.call('GET /api/support/diagnostics/{id}', { params: { id } })

test('the owner sees the diagnostics, without secrets, before anything is sent', async () => {
  const { body } = await diagnostics(owner)
  expect(body).toMatchObject({
    server: { id, name: 'One', memoryMib: 64, templateVersion: 1 },
    variables: ['GREETING', 'RCON'],
    consoleMissing: null,
    redacted: { secret_variable: 1, header: 1, email: 1, public_address: 1, token: 0 },
  })
  const text = JSON.stringify(body)
  for (const secret of ['correct-horse', 'x9x9', 'ann@', '8.8.8.8', 'HIDDEN'])
    expect(text).not.toContain(secret)
  expect(body).toHaveProperty('console.3', 'Done (3.1s)!')
  expect(body).toHaveProperty('text', expect.stringContaining('Done (3.1s)!'))
})

test('a collaborator without the console sees no console, and strangers see nothing', async () => {
  const friend = await lodge.customer()
  await share(lodge, id, owner, friend, ['files.read'])
  expect(await diagnostics(friend)).toMatchObject({
    status: 200,
    body: { console: null, consoleMissing: 'no_permission' },
  })
  expect((await diagnostics(await lodge.customer())).status).toBe(404)
  expect((await diagnostics(await lodge.limitedAdmin([]))).status).toBe(404)
})
