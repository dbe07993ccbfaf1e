import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import type { JoinedNode, Lodge } from '../../support/stack.ts'
import {
  connected,
  jobEnd,
  type MachineWorld,
  machineWorld,
  makeVm,
} from '../../support/vm-world.ts'

let world: MachineWorld
let lodge: Lodge
let agent: RealAgent
let node: JoinedNode
let owner: Caller
let nodeEpoch: number
beforeAll(async () => {
  world = await machineWorld()
  ;({ lodge, agent, node, owner } = world)
  const { rows } = await lodge.database.pool.query('select epoch from nodes where id = $1', [
    node.id,
  ])
  nodeEpoch = rows[0].epoch
})
afterAll(() => world?.[Symbol.asyncDispose]())

interface Answer {
  decision: string
  reasons: string[]
  holds: { kind: string }[]
  attempt: string
  validForMs: number
  lease: { renewSeq: number; ttlMs: number }
}

async function ask(
  serverId: string,
  given: Partial<{ attempt: string; generation: number; epoch: number; as: JoinedNode }> = {},
) {
  const { attempt = randomUUID(), generation = 1, epoch = nodeEpoch, as = node } = given
  const response = await lodge.anonymous().send({
    method: 'GET',
    url: `/api/agent/servers/${serverId}/vm-authorization`,
    query: { attempt, generation: String(generation), epoch: String(epoch) },
    headers: { authorization: `Bearer ${as.credential}`, 'x-node-id': as.id },
  })
  return {
    status: response.statusCode,
    headers: response.headers,
    body: JSON.parse(response.body) as Answer & { code: string },
  }
}

test('a machine may boot on its node, under its placement, and every decision is recorded', async () => {
  const { id } = await makeVm(lodge, owner.id)
  const attempt = randomUUID()
  const answer = await ask(id, { attempt })
  expect(answer.status).toBe(200)
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.body).toMatchObject({
    decision: 'allow',
    attempt,
    serverId: id,
    generation: 1,
    nodeEpoch,
    validForMs: 5000,
    holds: [],
    reasons: [],
  })
  expect(answer.body.lease.ttlMs).toBe(60_000)
  const { rows } = await lodge.database.pool.query(
    'select server_id, node_id, allowed from vm_boot_grants where attempt = $1',
    [attempt],
  )
  expect(rows).toEqual([{ server_id: id, node_id: node.id, allowed: true }])
  expect(await ask(id, { attempt })).toMatchObject({ status: 409, body: { code: 'conflict' } })
})

test('a refusal lists its reasons', async () => {
  const { id } = await makeVm(lodge, owner.id)
  expect((await ask(id, { generation: 2 })).body).toMatchObject({
    decision: 'deny',
    reasons: ['wrong_generation'],
  })
  expect((await ask(id, { epoch: nodeEpoch + 5 })).body).toMatchObject({ reasons: ['wrong_epoch'] })
  for (const [kind, told] of [
    ['suspension', 'suspension'],
    ['migrating', 'migration'],
    ['restoring', 'restore'],
    ['failover', 'failover'],
  ]) {
    await lodge.database.pool.query(
      `insert into server_holds (server_id, kind, cause) values ($1, $2, $3)`,
      [id, kind, kind === 'suspension' ? 'administrator' : 'test'],
    )
    const { status, body } = await ask(id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ decision: 'deny', reasons: ['hold'], holds: [{ kind: told }] })
    await lodge.database.pool.query('delete from server_holds where server_id = $1', [id])
  }
  expect((await ask(id)).body.decision).toBe('allow')
})

test('a machine that nobody turned on boots only within its owner’s running limit', async () => {
  const bound = await lodge.customer()
  const { id } = await makeVm(lodge, bound.id)
  await lodge.database.pool.query('update users set quota = $2 where id = $1', [
    bound.id,
    { runningServers: 0 },
  ])
  expect((await ask(id)).body).toMatchObject({ decision: 'deny', reasons: ['running_limit'] })
})

test('another node’s machine, and a container, are not found', async () => {
  const { id } = await makeVm(lodge, owner.id)
  const other = await lodge.joinedNode()
  expect((await ask(id, { as: other })).status).toBe(404)
  expect((await ask(randomUUID())).status).toBe(404)
  expect((await ask('nonsense')).status).toBe(404)
  expect((await ask(id, { as: { ...node, credential: 'wrong' } })).status).toBe(401)
})

test('a node with an expired lease gets no permit', async () => {
  const { id } = await makeVm(lodge, owner.id)
  await agent.close()
  await lodge.database.pool.query(
    `update nodes set session_id = null, last_seen_at = now() - interval '2 minutes' where id = $1`,
    [node.id],
  )
  expect((await ask(id)).body).toMatchObject({ decision: 'deny', reasons: ['no_lease'] })
  await agent.connect()
  await connected(lodge, node.id)
})

test('a decision waits for a concurrent change, and includes it', async () => {
  const { id } = await makeVm(lodge, owner.id)
  const client = await lodge.database.pool.connect()
  await client.query('begin')
  await client.query('update servers set placement_generation = 2 where id = $1', [id])
  const answer = ask(id)
  await client.query('commit')
  client.release()
  expect((await answer).body).toMatchObject({ decision: 'deny', reasons: ['wrong_generation'] })
})

test('a machine that may not boot shows its owner the reason, and boots once it may', async () => {
  const { id } = await makeVm(lodge, owner.id)
  const params = { id }
  await lodge.database.pool.query('update nodes set epoch = epoch + 1 where id = $1', [node.id])
  const { jobId } = await owner.must('POST /api/servers/{id}/actions', {
    params,
    body: { action: 'start' },
  })
  const { until } = await import('../../support/until.ts')
  const vm = await until(async () => {
    const found = await owner.must('GET /api/servers/{id}/vm', { params })
    return found.bootWaitsFor === null ? undefined : found
  })
  expect(vm.bootWaitsFor).toContain('It may not boot yet: this node was set aside')
  await lodge.database.pool.query('update nodes set epoch = epoch - 1 where id = $1', [node.id])
  await jobEnd(owner, jobId, 'done')
  expect((await owner.must('GET /api/servers/{id}', { params })).status).toBe('running')
})

test('an agent receives the waiting screen sessions of its own machines only', async () => {
  const list = (as: JoinedNode) =>
    lodge.anonymous().send({
      method: 'GET',
      url: '/api/agent/vm-consoles',
      headers: { authorization: `Bearer ${as.credential}`, 'x-node-id': as.id },
    })
  const { fleet } = lodge.controlPlane.services
  const end = { serverId: randomUUID(), kind: 'copy' }
  const other = await lodge.joinedNode()
  const pair = await fleet.openPair({ ...end, nodeId: node.id }, { ...end, nodeId: other.id })
  const theirs = await list(other)
  expect(theirs.headers['cache-control']).toBe('no-store')
  expect(JSON.parse(theirs.body)).toEqual({
    items: [
      { ...end, mayWrite: false, sessionId: pair.second.sessionId, ticket: pair.second.ticket },
    ],
  })
  pair.close()
  expect(JSON.parse((await list(other)).body)).toEqual({ items: [] })
})
