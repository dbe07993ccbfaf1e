import type { ServerAction } from '@lodge/shared/servers.ts'
import { expect, test } from 'vitest'
import { type Caller, requestOf } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import type { StandInAgent } from '../../support/stand-in-agent.ts'

interface Scene {
  readonly admin: Caller
  readonly customer: Caller
  readonly agent: StandInAgent
  readonly serverId: string
  act(action: ServerAction): Promise<string>
  ended(jobId: string): Promise<{ state: string; failure: unknown }>
}

/** A stopped server whose agent from now on reports only what the test says. */
async function scene(lodge: Lodge): Promise<Scene> {
  const admin = await lodge.admin()
  const customer = await lodge.customer()
  const template = await lodge.template()
  const node = await lodge.node()
  const agent = await lodge.standIn(node)
  const { serverId, jobId } = await admin.must('POST /api/servers', {
    body: { name: 'One', ownerId: customer.id, templateId: template.id, start: false },
  })
  const params = { id: serverId }
  const job = (id: string) => admin.must('GET /api/jobs/{id}', { params: { id } })
  const ended = async (id: string) => {
    await expect.poll(async () => (await job(id)).endedAt).not.toBeNull()
    return job(id)
  }
  await ended(jobId)
  agent.working = false
  return {
    admin,
    customer,
    agent,
    serverId,
    ended,
    act: async (action) =>
      (
        await admin.must('POST /api/servers/{id}/actions', {
          params,
          body: { action, confirm: true },
        })
      ).jobId,
  }
}

const generationOf = async (lodge: Lodge, serverId: string): Promise<number> =>
  (await lodge.database.pool.query('select generation from servers where id = $1', [serverId]))
    .rows[0].generation

test('a later action supersedes an earlier unfinished one', async () => {
  await using lodge = await startLodge()
  const { act, agent, ended, serverId } = await scene(lodge)
  const first = await act('start')
  const second = await act('kill')
  const settled = await generationOf(lodge, serverId)
  await agent.heard(serverId, settled)
  agent.tell(serverId, { state: 'stopped', generation: settled, settledGeneration: settled })
  expect(await ended(first)).toMatchObject({ state: 'superseded', failure: null })
  expect(await ended(second)).toMatchObject({ state: 'done' })
})

test('a pending start stays a start when other properties of the server change meanwhile', async () => {
  await using lodge = await startLodge()
  const { act, admin, customer, agent, ended, serverId } = await scene(lodge)
  const params = { id: serverId }
  const start = await act('start')
  await admin.must('PATCH /api/servers/{id}', { params, body: { name: 'Renamed' } })
  await customer.must('POST /api/servers/{id}/ports', {
    params,
    body: { container: 7000, protocol: 'udp' },
  })
  await customer.must('PATCH /api/servers/{id}/settings', {
    params,
    body: { variables: { GREETING: 'good day' } },
  })
  const settled = await generationOf(lodge, serverId)
  await agent.heard(serverId, settled)
  agent.tell(serverId, {
    state: 'starting',
    generation: settled - 3,
    settledGeneration: settled - 4,
  })
  agent.tell(serverId, { state: 'running', generation: settled, settledGeneration: settled })
  expect(await ended(start)).toMatchObject({ state: 'done' })
})

test('an impossible change fails the job of that generation, with the message of the node', async () => {
  await using lodge = await startLodge()
  const { act, agent, ended, serverId } = await scene(lodge)
  const start = await act('start')
  const settled = await generationOf(lodge, serverId)
  await agent.heard(serverId, settled)
  const failure = { code: 'image_not_found', detail: 'There is no such image', retryable: false }
  agent.tell(serverId, {
    state: 'stopped',
    generation: settled,
    settledGeneration: settled,
    failure,
  })
  const { retryable: _, ...told } = failure
  expect(await ended(start)).toMatchObject({ state: 'failed', failure: told })
})

test('a late outdated observation settles nothing', async () => {
  await using lodge = await startLodge()
  const { act, agent, ended, serverId } = await scene(lodge)
  const before = await generationOf(lodge, serverId)
  const start = await act('start')
  await agent.heard(serverId, before + 1)
  agent.tell(serverId, { state: 'stopped', generation: before, settledGeneration: before })
  agent.tell(serverId, { state: 'starting', generation: before + 1, settledGeneration: before })
  const admin = await lodge.admin()
  const state = async () =>
    (await admin.must('GET /api/servers/{id}', { params: { id: serverId } })).status
  await expect.poll(state).toBe('starting')
  expect(await admin.must('GET /api/jobs/{id}', { params: { id: start } })).toMatchObject({
    endedAt: null,
  })
  agent.tell(serverId, { state: 'running', generation: before + 1, settledGeneration: before + 1 })
  expect(await ended(start)).toMatchObject({ state: 'done' })
})

test('a suspension outlives every job that ends during it, and only its own cause lifts it', async () => {
  await using lodge = await startLodge()
  const { act, admin, customer, agent, ended, serverId } = await scene(lodge)
  const params = { id: serverId }
  const start = await act('start')
  const suspend = await act('suspend')
  agent.working = true
  agent.close()
  await agent.connect()
  expect(await ended(suspend)).toMatchObject({ state: 'done' })
  expect(await ended(start)).toMatchObject({ state: 'superseded' })
  const held = await admin.must('GET /api/servers/{id}', { params })
  expect(held).toMatchObject({
    status: 'suspended',
    observedState: 'stopped',
    desiredPower: 'on',
    holds: [{ kind: 'suspension', cause: 'administrator' }],
  })
  for (const action of ['start', 'restart', 'reinstall'] as const)
    expect(
      await customer.call('POST /api/servers/{id}/actions', {
        params,
        body: { action, confirm: true },
      }),
    ).toMatchObject({ status: 409, body: { code: 'hold_active' } })
  const kill = await customer.must('POST /api/servers/{id}/actions', {
    params,
    body: { action: 'kill' },
  })
  expect(await ended(kill.jobId)).toMatchObject({ state: 'done' })
  expect(
    await customer.call('POST /api/servers/{id}/actions', {
      params,
      body: { action: 'unsuspend' },
    }),
  ).toMatchObject({ status: 403 })
  await lodge.database.pool.query(
    `insert into server_holds (server_id, kind, cause) values ($1, 'suspension', 'billing')`,
    [serverId],
  )
  expect(await ended(await act('unsuspend'))).toMatchObject({ state: 'done' })
  expect(await admin.must('GET /api/servers/{id}', { params })).toMatchObject({
    status: 'suspended',
    holds: [{ cause: 'billing' }],
  })
})

test('each cause of a suspension is lifted only by its own', async () => {
  await using lodge = await startLodge()
  const { admin, customer, serverId } = await scene(lodge)
  const params = { id: serverId }
  const { secret } = await admin.must('POST /api/tokens', {
    body: { name: 'Billing', scopes: ['suspend'] },
  })
  type Action = 'suspend' | 'unsuspend'
  const act = (by: Caller, action: Action) =>
    by.call('POST /api/servers/{id}/actions', { params, body: { action } })
  const program = (action: Action) => {
    const request = requestOf('POST /api/servers/{id}/actions', { params, body: { action } })
    const authorization = `Bearer ${secret}`
    return lodge.anonymous().send({ ...request, headers: { ...request.headers, authorization } })
  }
  const causes = async () =>
    (await admin.must('GET /api/servers/{id}', { params })).holds.map(({ cause }) => cause)
  expect((await program('suspend')).statusCode).toBe(202)
  expect(await causes()).toEqual(['token'])
  expect(await act(admin, 'unsuspend')).toMatchObject({
    status: 409,
    body: { code: 'hold_active', detail: expect.stringContaining('a program with an API token') },
  })
  await act(admin, 'suspend')
  expect(await causes()).toEqual(['token', 'administrator'])
  expect((await program('unsuspend')).statusCode).toBe(202)
  expect(await causes()).toEqual(['administrator'])
  // The owner's deletion is not a suspension, and undoing it lifts none.
  await customer.must('DELETE /api/me/servers/{id}', { params })
  await customer.must('POST /api/me/servers/{id}/restore', { params })
  expect(await causes()).toEqual(['administrator'])
})

test('a server on a disconnected node keeps its last state and accepts no start', async () => {
  await using lodge = await startLodge()
  const { agent, admin, serverId } = await scene(lodge)
  agent.close()
  const params = { id: serverId }
  await expect
    .poll(async () => (await admin.must('GET /api/servers/{id}', { params })).status)
    .toBe('unknown')
  expect(await admin.must('GET /api/servers/{id}', { params })).toMatchObject({
    observedState: 'stopped',
  })
  const refused = await admin.call('POST /api/servers/{id}/actions', {
    params,
    body: { action: 'start' },
  })
  expect(refused).toMatchObject({ status: 503, body: { code: 'node_unavailable' } })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
})

test('a server whose node is back is unknown until the node has reported it again', async () => {
  await using lodge = await startLodge()
  const { agent, admin, serverId, act, ended } = await scene(lodge)
  agent.working = true
  expect(await ended(await act('start'))).toMatchObject({ state: 'done' })
  const params = { id: serverId }
  const server = () => admin.must('GET /api/servers/{id}', { params })
  expect(await server()).toMatchObject({ status: 'running' })

  // The machine was power-cycled: nothing runs there yet.
  agent.close()
  agent.tell(serverId, { state: 'stopped' })
  agent.knowsServers = false
  agent.working = false
  await agent.connect()
  const back = await server()
  expect(back).toMatchObject({
    status: 'unknown',
    nodeOnline: true,
    observedState: 'running',
  })
  // The observation's time is unchanged.
  await expect.poll(async () => (await admin.must('GET /api/nodes')).items[0]?.state).toBe('online')
  expect((await server()).observedAt).toBe(back.observedAt)

  agent.tellAll()
  await expect.poll(async () => (await server()).status).toBe('starting')
})

test('a removed port goes to nobody else before its node has let go of it', async () => {
  await using lodge = await startLodge()
  const { admin, customer, agent, serverId } = await scene(lodge)
  const params = { id: serverId }
  const { templateId } = await admin.must('GET /api/servers/{id}', { params })
  const create = (name: string, port?: number) =>
    admin.call('POST /api/servers', {
      body: { name, ownerId: customer.id, templateId: templateId ?? '', start: false, port },
    })
  const add = (id: string, container: number) =>
    customer.must('POST /api/servers/{id}/ports', {
      params: { id },
      body: { container, protocol: 'udp' },
    })
  const remove = (offset: number) =>
    customer.must('DELETE /api/servers/{id}/ports/{offset}', {
      params: { id: serverId, offset: String(offset) },
    })
  const tells = async (restartRequired: boolean) => {
    const settled = await generationOf(lodge, serverId)
    await agent.heard(serverId, settled)
    const took = { generation: settled, settledGeneration: settled, restartRequired }
    agent.tell(serverId, { ...took, state: 'running' })
    await expect
      .poll(async () => admin.must('GET /api/servers/{id}', { params }))
      .toMatchObject({ observedState: 'running', restartRequired })
  }
  const { body: other } = await create('Two')
  const { hostPort, offset } = await add(serverId, 7000)
  await tells(false)
  await remove(offset)
  const left = await customer.must('GET /api/servers/{id}/ports', { params })
  expect(left.items.map((port) => port.hostPort)).not.toContain(hostPort)
  // The node has not heard of it, and then its program still runs with the port.
  expect((await add(other.serverId, 7000)).hostPort).not.toBe(hostPort)
  await tells(true)
  expect((await add(other.serverId, 7001)).hostPort).not.toBe(hostPort)
  expect(await create('Three', hostPort)).toMatchObject({ body: { code: 'port_unavailable' } })
  // Whoever removed it by mistake gets it back.
  const again = await add(serverId, 7000)
  expect(again.hostPort).toBe(hostPort)
  await remove(again.offset)
  await tells(false)
  expect(await create('Three', hostPort)).toMatchObject({ status: 202 })
})
