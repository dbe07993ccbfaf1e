import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type JoinedNode, type Lodge, startLodge } from '../../support/stack.ts'
import { openEvents } from '../support/event-stream.ts'
import { knock } from '../support/knock.ts'
import { share } from '../support/share.ts'

let lodge: Lodge
let admin: Caller
let node: JoinedNode
let templateId: string
let ann: Caller
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  templateId = (await lodge.template()).id
  node = await lodge.node()
  ann = await lodge.customer()
})
beforeEach(() => lodge.database.pool.query('truncate rate_limits'))
afterAll(() => lodge[Symbol.asyncDispose]())

const serverOf = (owner: Caller) =>
  lodge.server({ name: 'Survival', ownerId: owner.id, templateId, nodeId: node.id, start: false })

describe('a revoked permission', () => {
  test('B1 GHSA-8c39-xppg-479c: ends at once: the console closes within two seconds, the stream announces it and ends', async () => {
    const [id, bob] = [await serverOf(ann), await lodge.customer()]
    await share(lodge, id, ann, bob, ['console.write', 'power.start'])
    const agent = await lodge.standIn(await lodge.node())
    await lodge.database.pool.query('update servers set node_id = $1 where id = $2', [
      agent.nodeId,
      id,
    ])
    const stream = openEvents(lodge, bob)
    await stream.next((event) => event.event === 'reset')
    const { ticket } = await bob.must('POST /api/servers/{id}/console-ticket', {
      params: { id },
      body: {},
    })
    const refused = knock(lodge, bob, ticket)
    await agent.line?.heardCount('relayOpen', 1)
    const at = performance.now()
    await ann.must('DELETE /api/servers/{id}/collaborators/{userId}', {
      params: { id, userId: bob.id },
    })
    expect(await refused).toBe(403)
    expect(performance.now() - at).toBeLessThan(2000)
    await stream.next(
      (event) => event.event === 'removed' && (event.data as { id: string }).id === id,
    )
    const received = stream.events.length
    await admin.must('PATCH /api/servers/{id}', { params: { id }, body: { name: 'secret' } })
    // Receiving his own event shows that everything before it was delivered.
    const his = await serverOf(bob)
    await stream.next((event) => JSON.stringify(event.data).includes(his))
    expect(JSON.stringify(stream.events.slice(received))).not.toContain('secret')
    stream.close()
    const another = await bob.call('POST /api/servers/{id}/console-ticket', {
      params: { id },
      body: {},
    })
    expect(another.status).toBe(404)
  })

  test('invalidates a ticket that was issued before', async () => {
    const [id, bob] = [await serverOf(ann), await lodge.customer()]
    await share(lodge, id, ann, bob, ['console.write'])
    const agent = await lodge.standIn(await lodge.node())
    await lodge.database.pool.query('update servers set node_id = $1 where id = $2', [
      agent.nodeId,
      id,
    ])
    const { ticket } = await bob.must('POST /api/servers/{id}/console-ticket', {
      params: { id },
      body: {},
    })
    await ann.must('PATCH /api/servers/{id}/collaborators/{userId}', {
      params: { id, userId: bob.id },
      body: { permissions: ['power.start'] },
    })
    expect(await knock(lodge, bob, ticket)).toBe(404)
  })
})
