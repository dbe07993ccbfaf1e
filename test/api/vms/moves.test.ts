import { DriverError } from '@lodge/driver/driver.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { openTransferPort } from '../../support/transfer-port.ts'
import { until } from '../../support/until.ts'
import { connected, jobEnd, machineNode, makeVm, natNetwork } from '../../support/vm-world.ts'

interface Place {
  readonly id: string
  readonly agent: RealAgent
}
let lodge: Lodge
let admin: Caller
let owner: Caller
let here: Place
let there: Place
let shared: string
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  owner = await lodge.customer()
  here = await place()
  there = await place()
  shared = (await natNetwork(lodge)).id
  await openTransferPort(admin, here.id)
})
beforeEach(() => {
  for (const { agent } of [here, there]) {
    agent.driver.knobs.copyDelayMs = 0
    agent.driver.knobs.copyError = null
  }
})
afterAll(async () => {
  for (const { agent } of [here, there]) await agent[Symbol.asyncDispose]()
  await lodge[Symbol.asyncDispose]()
})

async function place(): Promise<Place> {
  const { node, agent } = await machineNode(lodge)
  return { id: node.id, agent }
}

const machine = ({ agent }: Place, id: string) => agent.driver.runtime.machines.get(id)
const show = (id: string) => owner.must('GET /api/servers/{id}', { params: { id } })
const move = (id: string, to: Place, more: object = {}) =>
  owner.call('POST /api/servers/{id}/vm/migrate', {
    params: { id },
    body: { nodeId: to.id, networkId: shared, ...more },
  })
const targets = (id: string) =>
  owner.must('GET /api/servers/{id}/vm/migration-targets', { params: { id } })
const taken = async ({ id }: Place) =>
  (await admin.must('GET /api/nodes/{id}', { params: { id } })).allocated

const nameOf = async ({ id }: Place) =>
  (await admin.must('GET /api/nodes/{id}', { params: { id } })).name

async function written(): Promise<string> {
  const { id } = await makeVm(lodge, owner.id, { nodeId: here.id, networkId: shared })
  machine(here, id)!.parts.set('system', 'my data').set('firmware', 'my keys')
  return id
}

async function act(id: string, action: 'start' | 'stop') {
  const { jobId } = await owner.must('POST /api/servers/{id}/actions', {
    params: { id },
    body: { action },
  })
  await jobEnd(owner, jobId, 'done')
}

describe('a stopped machine', () => {
  test('moves completely, and its former copy is deleted only when it has booted there', async () => {
    const id = await written()
    const { uuid, network } = await owner.must('GET /api/servers/{id}/vm', { params: { id } })
    const [before, beforeThere] = [await taken(here), await taken(there)]
    const { body } = await move(id, there)
    const job = await jobEnd(owner, body.jobId, 'done')
    expect(job.steps.map(({ state }) => state)).toEqual(Array(8).fill('done'))
    expect(job.steps.find(({ name }) => name === 'Copy')?.detail).toBe(
      `The data went directly from ${await nameOf(here)} to ${await nameOf(there)}`,
    )
    expect(await show(id)).toMatchObject({ nodeId: there.id, status: 'stopped', holds: [] })
    const { items: told } = await owner.must('GET /api/notifications', { query: {} })
    expect(told.filter(({ type }) => /^server\.migrated$|^job\./.test(type))).toMatchObject([
      { type: 'server.migrated' },
    ])
    expect(machine(there, id)!.parts.get('system')).toBe('my data')
    expect(machine(there, id)!.parts.get('firmware')).toBe('my keys')
    expect(machine(here, id)!.parts.get('system')).toBe('my data')
    const moved = await owner.must('GET /api/servers/{id}/vm', { params: { id } })
    expect([moved.uuid, moved.network.address]).toEqual([uuid, network.address])
    await act(id, 'start')
    await until(() => !machine(here, id))
    await until(async () => (await taken(here)).servers === before.servers - 1)
    expect((await taken(there)).servers).toBe(beforeThere.servers + 1)
    expect(machine(there, id)!.parts.get('system')).toBe('my data')
    expect(await show(id)).toMatchObject({ status: 'running' })
    await act(id, 'stop')
  })

  test('returns to its former copy if it did not boot', async () => {
    const id = await written()
    const first = await move(id, there)
    await jobEnd(owner, first.body.jobId, 'done')
    const { items } = await targets(id)
    expect(items.find(({ nodeId }) => nodeId === here.id)).toMatchObject({ possible: true })
    const back = await move(id, here)
    await jobEnd(owner, back.body.jobId, 'done')
    expect(await show(id)).toMatchObject({ nodeId: here.id, status: 'stopped' })
    await act(id, 'start')
    await until(() => !machine(there, id))
    expect(machine(here, id)!.parts.get('system')).toBe('my data')
    await act(id, 'stop')
  })

  test('counts as booted there even if it was off again before anybody checked', async () => {
    const id = await written()
    const { body } = await move(id, there)
    await jobEnd(owner, body.jobId, 'done')
    await act(id, 'start')
    await act(id, 'stop')
    await until(() => !machine(here, id))
    expect(machine(there, id)!.parts.get('system')).toBe('my data')
    // The former node has reported by then that nothing is left there, which is recorded in a
    // moment.
    await until(async () => {
      const { items } = await targets(id)
      return items.find(({ nodeId }) => nodeId === here.id)?.possible
    })
  })

  test('stays usable where it is when the copy fails, and moves later', async () => {
    const id = await written()
    const [before, beforeThere] = [await taken(here), await taken(there)]
    there.agent.driver.knobs.copyError = new DriverError('disk_full', 'The disk is full there.')
    const { body } = await move(id, there)
    const job = await jobEnd(owner, body.jobId, 'failed')
    expect(job.failure).toEqual({ code: 'disk_full', detail: 'The disk is full there.' })
    expect(await show(id)).toMatchObject({ nodeId: here.id, status: 'stopped', holds: [] })
    expect([await taken(here), await taken(there)]).toEqual([before, beforeThere])
    expect(machine(there, id)).toBeUndefined()
    expect(machine(here, id)!.snapshots.size).toBe(0)
    await act(id, 'start')
    await act(id, 'stop')
    there.agent.driver.knobs.copyError = null
    const again = await move(id, there)
    await jobEnd(owner, again.body.jobId, 'done')
    await act(id, 'start')
    await act(id, 'stop')
  })

  test.each(['here', 'there'] as const)(
    'moves although the agent %s is killed halfway',
    async (which) => {
      const id = await written()
      const killed = which === 'here' ? here : there
      there.agent.driver.knobs.copyDelayMs = 400
      const { body } = await move(id, there)
      await until(async () => {
        const job = await owner.must('GET /api/jobs/{id}', { params: { id: body.jobId } })
        return job.steps.some(({ name, state }) => name === 'Read the disks' && state === 'done')
      })
      await killed.agent.close()
      there.agent.driver.knobs.copyDelayMs = 0
      await killed.agent.connect()
      await connected(lodge, killed.id)
      await jobEnd(owner, body.jobId, 'done')
      expect(machine(there, id)!.parts.get('system')).toBe('my data')
      await act(id, 'start')
      await until(() => !machine(here, id))
      await act(id, 'stop')
    },
  )

  test('enters another network only if the host released it, and after a confirmation', async () => {
    const id = await written()
    const other = await natNetwork(lodge, { nodeIds: [there.id] })
    const sure = { networkId: other.id, confirmNetworkChange: true }
    expect(await move(id, there, sure)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/networkId', detail: 'is not open for this machine' }] },
    })
    const { items: closed } = await targets(id)
    expect(JSON.stringify(closed)).not.toContain(other.id)
    await admin.must('PATCH /api/virtualization/networks/{id}', {
      params: { id: other.id },
      body: { enabled: true, customerVisible: true },
    })
    const silent = await move(id, there, { networkId: other.id })
    expect(silent).toMatchObject({ status: 400, body: { code: 'confirmation_required' } })
    const seen = async () => {
      const { items } = await targets(id)
      const place = items.find(({ nodeId }) => nodeId === there.id)
      return place?.networks.find((one) => one.id === other.id)
    }
    expect(await seen()).toMatchObject({ changesAddress: true, why: null })
    const { body } = await move(id, there, sure)
    await jobEnd(owner, body.jobId, 'done')
    const vm = await owner.must('GET /api/servers/{id}/vm', { params: { id } })
    expect(vm.network.id).toBe(other.id)
    await act(id, 'start')
    await until(async () => {
      const { rows } = await lodge.database.pool.query(
        'select network_id from vm_addresses where server_id = $1',
        [id],
      )
      return rows.length === 1 && rows[0].network_id === other.id
    })
    await act(id, 'stop')
  })

  test('is not moved while it has snapshots or runs', async () => {
    const id = await written()
    const made = await owner.must('POST /api/servers/{id}/vm/snapshots', {
      params: { id },
      body: { name: 'one' },
    })
    await jobEnd(owner, made.jobId, 'done')
    expect(await move(id, there)).toMatchObject({ status: 409, body: { code: 'in_use' } })
    const gone = await owner.must('DELETE /api/servers/{id}/vm/snapshots/{snapshot}', {
      params: { id, snapshot: made.snapshotId },
    })
    await jobEnd(owner, gone.jobId, 'done')
    await act(id, 'start')
    expect(await move(id, there)).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
    await act(id, 'stop')
  })

  test('is not moved to a node that cannot run it, with the reason', async () => {
    const id = await written()
    const fit = there.agent.driver.knobs.virtualization
    await lodge.database.pool.query(
      `update nodes set virtualization = jsonb_set(virtualization, '{firmware}', '[]') where id = $1`,
      [there.id],
    )
    const { items } = await targets(id)
    const target = items.find(({ nodeId }) => nodeId === there.id)
    expect(target).toMatchObject({
      possible: false,
      why: expect.stringContaining('lacks the firmware'),
    })
    expect(await move(id, there)).toMatchObject({
      status: 409,
      body: { code: 'unsupported_on_node', detail: expect.stringContaining('lacks the firmware') },
    })
    await lodge.database.pool.query('update nodes set virtualization = $2 where id = $1', [
      there.id,
      fit,
    ])
  })

  test('is removed from the other node too when it is deleted before it booted', async () => {
    const id = await written()
    const before = await taken(here)
    const { body } = await move(id, there)
    await jobEnd(owner, body.jobId, 'done')
    const gone = await admin.must('DELETE /api/servers/{id}', { params: { id } })
    await jobEnd(admin, gone.jobId, 'done')
    await until(() => !machine(here, id))
    await until(async () => (await taken(here)).servers === before.servers - 1)
  })
})

test('a move continues after the control plane ends halfway and restarts', async () => {
  const first = await startLodge()
  const [a, b] = [await machineNode(first), await machineNode(first)]
  const { id: networkId } = await natNetwork(first)
  const person = await first.customer()
  const { id } = await makeVm(first, person.id, { nodeId: a.node.id, networkId })
  a.agent.driver.runtime.machines.get(id)!.parts.set('system', 'my data')
  b.agent.driver.knobs.copyDelayMs = 3_000
  const { jobId } = await person.must('POST /api/servers/{id}/vm/migrate', {
    params: { id },
    body: { nodeId: b.node.id, networkId },
  })
  await until(() => b.agent.driver.runtime.imports.has(id))
  const { port } = first.controlPlane.services.fleet
  await first.controlPlane.stop()
  b.agent.driver.knobs.copyDelayMs = 0
  const second = await startLodge({
    beside: first,
    environment: { LODGE_FLEET_PORT: String(port) },
  })
  const again = await second.session(person.id)
  await jobEnd(again, jobId, 'done')
  expect(await again.must('GET /api/servers/{id}', { params: { id } })).toMatchObject({
    nodeId: b.node.id,
    status: 'stopped',
    holds: [],
  })
  expect(b.agent.driver.runtime.machines.get(id)!.parts.get('system')).toBe('my data')
  expect(a.agent.driver.runtime.machines.has(id)).toBe(true)
  for (const { agent } of [a, b]) await agent[Symbol.asyncDispose]()
  await second[Symbol.asyncDispose]()
  await first.database.drop()
})

test('a move to another location is checked against the limits, and administrators may force it', async () => {
  const customer = await lodge.customer()
  const { node: far, agent } = await machineNode(lodge, { location: 'Far away' })
  const params = {
    id: (await makeVm(lodge, customer.id, { nodeId: here.id, networkId: shared })).id,
  }
  await admin.must('PATCH /api/customers/{id}', {
    params: { id: customer.id },
    body: { quota: { allowedLocations: ['Here'] } },
  })
  const body = { nodeId: far.id, networkId: shared }
  const refused = { status: 403, body: { code: 'not_allowed_by_limits' } }
  for (const caller of [customer, admin])
    expect(await caller.call('POST /api/servers/{id}/vm/migrate', { params, body })).toMatchObject(
      refused,
    )
  const { items } = await customer.must('GET /api/servers/{id}/vm/migration-targets', { params })
  expect(items.find(({ nodeId }) => nodeId === far.id)).toMatchObject({
    possible: false,
    why: 'This location is not available to this account',
  })
  expect(items.find(({ nodeId }) => nodeId === there.id)).toMatchObject({ possible: true })
  // Moved like any server, into the network of the node.
  const { jobId } = await admin.must('POST /api/servers/{id}/migrate', {
    params,
    body: { nodeId: far.id, force: true },
  })
  await jobEnd(admin, jobId, 'done')
  await agent[Symbol.asyncDispose]()
})

test('a node is evacuated, and running machines are stopped for it and started again', async () => {
  const params = { id: here.id }
  const [off, on] = await Promise.all(
    [false, true].map(async (start) => {
      const given = { nodeId: here.id, networkId: shared, start }
      return (await makeVm(lodge, owner.id, given)).id
    }),
  )
  await until(async () => (await show(on ?? '')).status === 'running')
  machine(here, on ?? '')!.parts.set('system', 'my data')
  const { plan } = await admin.must('GET /api/nodes/{id}/evacuation', { params })
  const planned = (id = '') => plan.find(({ serverId }) => serverId === id)
  expect(planned(off)).toMatchObject({ kind: 'vm', why: null, offSeconds: null, stops: false })
  expect(planned(on)).toMatchObject({ why: null, stops: true })
  expect(planned(on)!.offSeconds).toBeGreaterThan(planned(on)!.copySeconds!)
  const empty = async (body: object = {}, state = 'done') => {
    const { jobId } = await admin.must('POST /api/nodes/{id}/evacuate', {
      params,
      body: { serverIds: [off ?? '', on ?? ''], ...body },
    })
    if (state === 'cancelled') {
      await until(() => there.agent.driver.runtime.imports.has(on ?? ''))
      expect(here.agent.driver.runtime.servers.get(on ?? '')?.workload?.running).not.toBe(true)
      await admin.must('POST /api/jobs/{id}/cancel', { params: { id: jobId } })
    }
    await jobEnd(admin, jobId, state)
    const { latest } = await admin.must('GET /api/nodes/{id}/evacuation', { params })
    const items = new Map(latest?.items.map((item) => [item.serverId, item]))
    return [items.get(off ?? ''), items.get(on ?? '')]
  }
  // Without the operator's consent they stay and keep running.
  expect(await empty({ stopMachines: false })).toMatchObject([
    { state: 'moved' },
    { state: 'blocked', detail: 'The machine is running: stop it first' },
  ])
  expect(await show(on ?? '')).toMatchObject({ status: 'running', nodeId: here.id })
  // A machine whose move is cancelled starts again where it was.
  there.agent.driver.knobs.copyDelayMs = 5_000
  expect((await empty({}, 'cancelled'))[1]).toMatchObject({ state: 'cancelled' })
  there.agent.driver.knobs.copyDelayMs = 0
  await until(async () => (await show(on ?? '')).status === 'running')
  expect(await show(on ?? '')).toMatchObject({ nodeId: here.id, holds: [] })
  expect(machine(there, on ?? '')).toBeUndefined()
  expect((await empty())[1]).toMatchObject({ state: 'moved' })
  await until(async () => (await show(on ?? '')).status === 'running')
  expect(await show(on ?? '')).toMatchObject({ nodeId: there.id, holds: [] })
  await until(() => !machine(here, on ?? ''))
  expect(machine(there, on ?? '')!.parts.get('system')).toBe('my data')
  await act(on ?? '', 'stop')
  await admin.must('POST /api/nodes/{id}/uncordon', { params })
})

test('a running machine is deleted only after a confirmation', async () => {
  const { id } = await makeVm(lodge, owner.id, { nodeId: here.id, networkId: shared, start: true })
  await until(async () => (await show(id)).status === 'running')
  const params = { id }
  expect(await admin.call('DELETE /api/servers/{id}', { params })).toMatchObject({
    status: 400,
    body: { code: 'confirmation_required' },
  })
  expect((await show(id)).status).toBe('running')
  const { jobId } = await admin.must('DELETE /api/servers/{id}', {
    params,
    query: { confirm: 'true' },
  })
  await jobEnd(admin, jobId, 'done')
})
