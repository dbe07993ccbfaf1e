import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { DriverError } from '@lodge/driver/driver.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { expireWait } from '../../support/expired-wait.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import { filesOn, isRunningOn, startSharingNodes } from '../../support/sharing-nodes.ts'
import type { Lodge } from '../../support/stack.ts'
import { openTransferPort } from '../../support/transfer-port.ts'
import { until } from '../../support/until.ts'
import { connected, jobEnd } from '../../support/vm-world.ts'
import { Gates } from './gates.ts'

const start = () => startSharingNodes({ name: 'alpha' }, { name: 'beta' })
let nodes: Awaited<ReturnType<typeof start>>
let lodge: Lodge
let admin: Caller
let owner: Caller
let alpha: RealAgent
let beta: RealAgent
beforeAll(async () => {
  nodes = await start()
  ;({ lodge, admin, owner } = nodes)
  ;[alpha, beta] = nodes.agents
  await openTransferPort(admin, beta.nodeId)
})
afterAll(() => nodes?.[Symbol.asyncDispose]())

const makeServer = (body: object = {}) => nodes.makeServer(alpha, body, (id) => `files of ${id}`)
const act = (id: string, action: 'start' | 'stop' | 'suspend') =>
  admin.must('POST /api/servers/{id}/actions', { params: { id }, body: { action } })
const move = (id: string, to = beta, body: object = {}, caller = admin) =>
  caller.call('POST /api/servers/{id}/migrate', {
    params: { id },
    body: { nodeId: to.nodeId, ...body },
  })
async function moved(id: string, to = beta) {
  const { status, body } = await move(id, to)
  expect([status, body]).toMatchObject([202, {}])
  await jobEnd(admin, body.jobId, 'done')
  return body.jobId
}
async function ways(jobId: string) {
  const { steps } = await admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
  return steps.filter(({ name }) => name.startsWith('Copy')).map(({ detail }) => detail)
}
const allocatedOn = async ({ nodeId }: RealAgent) =>
  (await admin.must('GET /api/nodes/{id}', { params: { id: nodeId } })).allocated
/** The notifications of a move. */
const MOVE_NEWS = /^server\.migrated$|^job\./
/** The former copy is deleted a moment after the job. */
const settled = (from: RealAgent, id: string) => until(async () => filesOn(from, id) === undefined)

test('a running server moves with its files, settings and a port of the node, and back', async () => {
  const id = await makeServer()
  await owner.must('POST /api/servers/{id}/schedules', {
    params: { id },
    body: { cron: '0 4 * * *', tasks: [{ action: 'wait', seconds: 1 }] },
  })
  await act(id, 'start')
  await until(async () => (await nodes.show(id)).status === 'running')
  const before = { alpha: await allocatedOn(alpha), beta: await allocatedOn(beta) }
  const jobId = await moved(id)
  expect(await nodes.show(id)).toMatchObject({ nodeId: beta.nodeId, status: 'running', holds: [] })
  expect([isRunningOn(alpha, id), isRunningOn(beta, id)]).toEqual([false, true])
  expect(filesOn(beta, id)).toBe(`files of ${id}`)
  await settled(alpha, id)
  const { items: told } = await owner.must('GET /api/notifications', { query: {} })
  // Its owner is notified of the move once, and of no job; the person who requested it is notified
  // that it is done.
  expect(told.filter(({ type }) => MOVE_NEWS.test(type))).toMatchObject([
    { type: 'server.migrated', title: 'One has moved' },
  ])
  const { items: asked } = await admin.must('GET /api/notifications', { query: {} })
  expect(asked.filter(({ type }) => MOVE_NEWS.test(type))).toMatchObject([{ type: 'job.done' }])
  const job = await admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
  expect(job.steps.at(-1)?.detail).toMatch(/^The server was off for \d+\.\d s$/)
  expect(await ways(jobId)).toEqual(Array(2).fill('The data went directly from alpha to beta'))
  expect(
    (await owner.must('GET /api/servers/{id}/schedules', { params: { id } })).items,
  ).toHaveLength(1)
  expect(
    (await owner.must('GET /api/servers/{id}/backups', { params: { id }, query: {} })).items,
  ).toEqual([])
  await until(async () => (await allocatedOn(alpha)).memoryMb < before.alpha.memoryMb)
  const back = await moved(id, alpha)
  expect(await ways(back)).toEqual(Array(2).fill('The data went through the control plane'))
  expect(filesOn(alpha, id)).toBe(`files of ${id}`)
  await settled(beta, id)
  await until(async () => (await allocatedOn(beta)).memoryMb === before.beta.memoryMb)
  expect(await allocatedOn(alpha)).toEqual(before.alpha)
})

test('a stopped server stays stopped, and gets another port if its own is taken there', async () => {
  const first = await makeServer()
  const was = await nodes.show(first)
  await makeServer({ nodeId: beta.nodeId, port: was.port })
  await moved(first)
  const is = await nodes.show(first)
  expect(is).toMatchObject({ nodeId: beta.nodeId, status: 'stopped', holds: [] })
  expect(is.port).not.toBe(was.port)
  expect(filesOn(beta, first)).toBe(`files of ${first}`)
  await act(first, 'start')
  await until(async () => (await nodes.show(first)).status === 'running')
})

test('a server that does not start there is back where it was, running, also if it grew meanwhile', async () => {
  const id = await makeServer()
  const gates = new Gates('server.migrate')
  await act(id, 'start')
  await until(async () => (await nodes.show(id)).status === 'running')
  const before = await allocatedOn(beta)
  beta.driver.knobs.startError = new DriverError('start_failed', 'The port is taken.')
  const sizeOfAlpha = (memoryMb: number) =>
    admin.must('PATCH /api/nodes/{id}', { params: { id: alpha.nodeId }, body: { memoryMb } })
  const full = (await allocatedOn(alpha)).memoryMb
  const { memoryMb } = await nodes.show(id)
  gates.before(id, 'Prove the new place', async () => {
    await sizeOfAlpha(full)
    const body = { memoryMb: memoryMb + 512 }
    await admin.must('PATCH /api/servers/{id}', { params: { id }, body })
  })
  const { body } = await move(id)
  await jobEnd(admin, body.jobId, 'failed')
  gates.restore()
  beta.driver.knobs.startError = null
  expect((await allocatedOn(alpha)).memoryMb).toBeGreaterThan(full)
  await sizeOfAlpha(16_384)
  await until(async () => (await nodes.show(id)).status === 'running')
  expect(await nodes.show(id)).toMatchObject({ nodeId: alpha.nodeId, holds: [] })
  expect([isRunningOn(alpha, id), isRunningOn(beta, id)]).toEqual([true, false])
  expect([filesOn(alpha, id), filesOn(beta, id)]).toEqual([`files of ${id}`, undefined])
  expect(await allocatedOn(beta)).toEqual(before)
  // And it can be moved again afterwards.
  await moved(id)
})

test('a move is refused with a remedy, before anything changes', async () => {
  const id = await makeServer()
  const refused = async (answer: ReturnType<typeof move>, status: number, code: string) =>
    expect(await answer).toMatchObject({ status, body: { code } })
  await refused(move(id, alpha), 409, 'invalid_state')
  await refused(
    move(id, beta, { nodeId: '00000000-0000-4000-8000-000000000000' }),
    400,
    'validation_failed',
  )
  await refused(
    move(id, beta, { networkId: '00000000-0000-4000-8000-000000000000' }),
    400,
    'validation_failed',
  )
  const cordoned = (on: boolean) =>
    admin.must('PATCH /api/nodes/{id}', { params: { id: beta.nodeId }, body: { cordoned: on } })
  await cordoned(true)
  await refused(move(id), 409, 'no_capacity')
  const targets = await owner.must('GET /api/servers/{id}/migration-targets', { params: { id } })
  expect(targets.items).toMatchObject([
    { nodeName: 'beta', possible: false, why: 'beta takes no new servers' },
  ])
  await cordoned(false)
  const big = await makeServer({ memoryMb: 1_500 })
  const filler = await makeServer({ nodeId: beta.nodeId, memoryMb: 1_500 })
  const room = (await allocatedOn(beta)).memoryMb
  expect(room).toBeGreaterThan(1_500)
  await admin.must('PATCH /api/nodes/{id}', {
    params: { id: beta.nodeId },
    body: { memoryMb: room + 100 },
  })
  await refused(move(big), 409, 'no_capacity')
  await admin.must('PATCH /api/nodes/{id}', {
    params: { id: beta.nodeId },
    body: { memoryMb: 16_384 },
  })
  expect(filler).not.toBe(big)
  await act(id, 'suspend')
  await refused(move(id, beta, {}, owner), 409, 'hold_active')
  const kept = await makeServer()
  const { jobId } = await owner.must('POST /api/servers/{id}/backups', {
    params: { id: kept },
    body: {},
  })
  await refused(move(kept), 409, 'hold_active')
  await jobEnd(owner, jobId, 'done')
  await refused(move(kept), 400, 'confirmation_required')
  await beta.close()
  await until(
    async () =>
      (await admin.must('GET /api/nodes/{id}', { params: { id: beta.nodeId } })).state !== 'online',
  )
  await refused(move(kept, beta, { confirmBackupsLeft: true }), 503, 'node_unavailable')
  await beta.connect()
  await connected(lodge, beta.nodeId)
  await refused(move(kept, beta, {}, await lodge.customer()), 404, 'not_found')
  expect(await nodes.show(kept)).toMatchObject({ nodeId: alpha.nodeId, holds: [] })
})

test('a cancelled move leaves the server where it was, and a moved one can no longer be cancelled', async () => {
  const id = await makeServer()
  await act(id, 'start')
  await until(async () => (await nodes.show(id)).status === 'running')
  const before = await allocatedOn(beta)
  const { body } = await move(id)
  await admin.must('POST /api/jobs/{id}/cancel', { params: { id: body.jobId } })
  await jobEnd(admin, body.jobId, 'cancelled')
  await until(async () => (await nodes.show(id)).status === 'running')
  expect(await nodes.show(id)).toMatchObject({ nodeId: alpha.nodeId, holds: [] })
  expect(await allocatedOn(beta)).toEqual(before)
  expect(filesOn(beta, id)).toBeUndefined()
  beta.driver.knobs.startDelayMs = 2_000
  const again = (await move(id)).body.jobId
  await until(async () => (await nodes.show(id)).nodeId === beta.nodeId)
  expect(await admin.call('POST /api/jobs/{id}/cancel', { params: { id: again } })).toMatchObject({
    status: 409,
    body: { code: 'invalid_state' },
  })
  beta.driver.knobs.startDelayMs = 0
  await jobEnd(admin, again, 'done')
})

test('of two moves of one server, and of two into the last free capacity, one is refused', async () => {
  const id = await makeServer()
  const answers = await Promise.all([move(id), move(id)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409])
  const jobs = answers.flatMap(({ status, body }) => (status === 202 ? [body.jobId] : []))
  await Promise.all(jobs.map((job) => jobEnd(admin, job, 'done')))
  const pair = [await makeServer({ memoryMb: 1_500 }), await makeServer({ memoryMb: 1_500 })]
  const params = { id: beta.nodeId }
  const size = (memoryMb: number) =>
    admin.must('PATCH /api/nodes/{id}', { params, body: { memoryMb } })
  await size((await allocatedOn(beta)).memoryMb + 2_000)
  const two = await Promise.all(pair.map((one) => move(one)))
  expect(
    two.map(({ status, body }) => (status === 202 ? 'moves' : Object(body).code)).toSorted(),
  ).toEqual(['moves', 'no_capacity'])
  for (const { status, body } of two) if (status === 202) await jobEnd(admin, body.jobId, 'done')
  await size(16_384)
})

test('a former copy whose node is unreachable is deleted when it is back, and delays nothing', async () => {
  const id = await makeServer()
  beta.driver.knobs.startDelayMs = 1_000
  await act(id, 'start')
  await until(async () => (await nodes.show(id)).status === 'running')
  const { body } = await move(id)
  await until(async () => (await nodes.show(id)).nodeId === beta.nodeId)
  await alpha.close()
  await jobEnd(admin, body.jobId, 'done')
  beta.driver.knobs.startDelayMs = 0
  expect([filesOn(alpha, id), isRunningOn(beta, id)]).toEqual([`files of ${id}`, true])
  await alpha.connect()
  await connected(lodge, alpha.nodeId)
  await settled(alpha, id)
  expect(isRunningOn(alpha, id)).toBe(false)
})

test('a move is completed although its node or the control plane was away for hours', async () => {
  const id = await makeServer()
  await act(id, 'start')
  await until(async () => (await nodes.show(id)).status === 'running')
  using gates = new Gates('server.migrate')
  gates.before(id, 'Prove the new place', () => beta.close())
  const { body } = await move(id)
  await expireWait(lodge, body.jobId)
  await beta.connect()
  await jobEnd(admin, body.jobId, 'done')
  expect(await nodes.show(id)).toMatchObject({ nodeId: beta.nodeId, status: 'running', holds: [] })
  await settled(alpha, id)
})

test('a server that is deleted while it moves leaves nothing on either node', async () => {
  const id = await makeServer()
  const before = [await allocatedOn(alpha), await allocatedOn(beta)]
  const { body } = await move(id)
  const deleted = await admin.must('DELETE /api/servers/{id}', { params: { id } })
  await jobEnd(admin, deleted.jobId, 'done')
  await until(async () => {
    const job = await admin.must('GET /api/jobs/{id}', { params: { id: body.jobId } })
    return job.endedAt !== null
  })
  await until(async () => (await allocatedOn(beta)).memoryMb === before[1]?.memoryMb)
  expect([filesOn(alpha, id), filesOn(beta, id)]).toEqual([undefined, undefined])
  expect((await allocatedOn(alpha)).servers).toBe((before[0]?.servers ?? 0) - 1)
})

test('a move goes through the control plane if the other node is not reachable directly, or its agent is older', async () => {
  // A port behind a firewall that drops everything: it never responds.
  const held: net.Socket[] = []
  const silent = net.createServer((socket) => held.push(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const { pool } = lodge.database
  const reportOf = async ({ nodeId }: RealAgent) => {
    const { rows } = await pool.query('select transfer_port, transfers from nodes where id = $1', [
      nodeId,
    ])
    return rows[0]
  }
  const set = ({ nodeId }: RealAgent, open: number | null, report: object | null) =>
    pool.query('update nodes set transfer_port = $2, transfers = $3 where id = $1', [
      nodeId,
      open,
      report,
    ])
  const [ofAlpha, ofBeta] = [await reportOf(alpha), await reportOf(beta)]
  const throughPanel = Array(2).fill('The data went through the control plane')
  await set(beta, port, { ...ofBeta.transfers, port })
  // Earlier agents do not report it.
  await set(alpha, null, null)
  expect(await ways(await moved(await makeServer()))).toEqual(throughPanel)
  expect(held).toHaveLength(0)
  await set(alpha, ofAlpha.transfer_port, ofAlpha.transfers)
  const id = await makeServer()
  expect(await ways(await moved(id))).toEqual(throughPanel)
  expect(filesOn(beta, id)).toBe(`files of ${id}`)
  // It tried the direct way, once for the whole transfer.
  expect(held).toHaveLength(1)
  await set(beta, ofBeta.transfer_port, ofBeta.transfers)
  for (const socket of held) socket.destroy()
  silent.close()
})
