import { randomBytes } from 'node:crypto'
import { stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lengthOf } from '../../run/lengths.ts'
import { containersOf } from '../support/containers.ts'
import { type DockerNode, startSecondNode } from '../support/joined-node.ts'
import { type Machine, machineMissing, startMachine } from '../support/machine.ts'
import { allAre, endedJob } from '../support/servers.ts'
import { dataFolderOf, filesIn, startWorld } from '../support/worlds.ts'

const missing = await machineMissing()

/** The number of killed parts, three in each move. */
const KILLS = lengthOf('LODGE_MOVE_KILLS')
/** The number of steps of a move. */
const STEPS = 8

describe.skipIf(missing)('moves between two nodes with Docker', () => {
  let machine: Machine
  let second: DockerNode
  let id: string
  let firstId: string
  const dataOf = (agent: string, server: string) => dataFolderOf(machine, agent, server)
  beforeAll(async () => {
    machine = await startMachine()
    second = await startSecondNode(machine)
    id = await startWorld(machine)
    firstId = (await show()).nodeId
    // The addresses at which the nodes reach each other.
    for (const [node, address] of [
      [firstId, machine.network.address],
      [second.id, second.network.address],
    ] as const) {
      const params = { id: node }
      const body = { address, transferPort: 7443 }
      await machine.admin.must('PATCH /api/nodes/{id}', { params, body })
      await machine.until(
        'its port for transfers is open',
        async () => (await machine.admin.must('GET /api/nodes/{id}', { params })).transfers.open,
      )
    }
  })
  afterAll(async () => {
    await second?.[Symbol.asyncDispose]()
    await machine?.[Symbol.asyncDispose]()
  })

  const show = () => machine.admin.must('GET /api/servers/{id}', { params: { id } })
  const move = (nodeId: string) =>
    machine.admin.must('POST /api/servers/{id}/migrate', { params: { id }, body: { nodeId } })
  const isThere = (folder: string) =>
    stat(folder).then(
      () => true,
      () => false,
    )
  async function done(jobId: string) {
    const job = await endedJob(machine, jobId)
    expect([job.state, job.failure?.detail ?? '']).toEqual(['done', ''])
    return job
  }
  const gone = (agent: string) =>
    machine.until('the former copy is deleted', async () => !(await isThere(dataOf(agent, id))))

  test('a running server has every byte and runs on the other node, after a short stop', async () => {
    const before = await filesIn(dataOf('lodge/agent', id))
    const { jobId } = await move(second.id)
    const job = await done(jobId)
    await allAre(machine, [id], 'running', 90_000)
    expect(await filesIn(dataOf('second', id))).toEqual(before)
    const { nodeId, port, holds } = await show()
    expect({ nodeId, holds }).toEqual({ nodeId: second.id, holds: [] })
    expect(port).toBeGreaterThanOrEqual(26_000)
    await gone('lodge/agent')
    const ways = job.steps.filter(({ name }) => name.startsWith('Copy')).map((one) => one.detail)
    expect(ways).toEqual(Array(2).fill('The data went directly from local to second'))
    const off = /off for ([\d.]+) s/.exec(job.steps.at(-1)?.detail ?? '')?.[1]
    expect(Number(off)).toBeLessThan(30)
  })

  test('it arrives complete even if the panel and either agent are killed at any step', async () => {
    const { admin } = machine
    await writeFile(path.join(dataOf('second', id), 'big'), randomBytes(40_000_000))
    const before = await filesIn(dataOf('second', id))
    for (let round = 0; round * 3 < KILLS; round++) {
      const goes = round % 2 === 0 ? firstId : second.id
      const [from, to] = round % 2 === 0 ? ['second', 'lodge/agent'] : ['lodge/agent', 'second']
      const { jobId } = await move(goes)
      for (const [at, victim] of [machine.panel, second.agent, machine.agent].entries()) {
        const step = Math.min(STEPS - 1, (round % 4) + at * 2)
        await machine.until(
          `step ${step} begins`,
          async () => {
            const job = await admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
            return job.endedAt !== null || job.steps[step]?.state !== 'waiting'
          },
          120_000,
        )
        await victim.kill()
        victim.start()
        await machine.until('everybody is back', () => machine.isUp(), 120_000)
      }
      await done(jobId)
      await allAre(machine, [id], 'running', 90_000)
      expect(await filesIn(dataOf(to, id)), `round ${round}`).toEqual(before)
      expect(await show()).toMatchObject({ nodeId: goes, holds: [] })
      await gone(from)
    }
  }, 3_600_000)

  test('a server whose target is lost keeps running where it is, and the target deletes its part when it is back', {
    tags: 'long',
  }, async () => {
    const { admin } = machine
    const isFirst = (await show()).nodeId === firstId
    const [agent, socket] = isFirst
      ? ([second.agent, second.engine.socketPath] as const)
      : ([machine.agent, machine.engine.socketPath] as const)
    const [sourceId, targetId] = isFirst ? [firstId, second.id] : [second.id, firstId]
    const [source, target] = isFirst ? ['lodge/agent', 'second'] : ['second', 'lodge/agent']
    const params = { id: targetId }
    const before = await filesIn(dataOf(source, id))
    const { name, allocated } = await admin.must('GET /api/nodes/{id}', { params })
    const { jobId } = await move(targetId)
    await agent.kill()
    await machine.until(
      'the node is away',
      async () => (await admin.must('GET /api/nodes/{id}', { params })).state === 'offline',
    )
    // A copy that has failed by then has already aborted the move.
    const declared = await admin.call('POST /api/failover/run', {
      body: { nodeId: targetId, confirm: name },
    })
    expect([202, 409]).toContain(declared.status)
    await machine.panel.kill()
    machine.panel.start()
    const job = await machine.until(
      'the job ends',
      async () => {
        const job = await admin.call('GET /api/jobs/{id}', { params: { id: jobId } })
        return job.status === 200 && job.body.endedAt ? job.body : undefined
      },
      120_000,
    )
    expect([job.state, job.failure?.code]).toEqual(['failed', 'target_lost'])
    await allAre(machine, [id], 'running', 90_000)
    expect(await show()).toMatchObject({ nodeId: sourceId, holds: [] })
    expect(await filesIn(dataOf(source, id))).toEqual(before)
    expect((await admin.must('GET /api/nodes/{id}', { params })).allocated).toEqual(allocated)

    agent.start()
    await gone(target)
    await machine.until(
      'nothing is left to delete',
      async () => (await admin.must('GET /api/failover/status')).copies.length === 0,
    )
    expect((await containersOf(socket)).get(id)).toBeUndefined()
    await allAre(machine, [id], 'running', 20_000)
    await admin.must('POST /api/nodes/{id}/uncordon', { params })
  })

  test('a server of a lost node runs again elsewhere, and its former copy is stopped permanently', async () => {
    const { admin } = machine
    const isFirst = (await show()).nodeId === firstId
    const [agent, socket] = isFirst
      ? ([machine.agent, machine.engine.socketPath] as const)
      : ([second.agent, second.engine.socketPath] as const)
    const [lostId, keepsId] = isFirst ? [firstId, second.id] : [second.id, firstId]
    const [lost, keeps] = isFirst ? ['lodge/agent', 'second'] : ['second', 'lodge/agent']
    const { s3: _, ...settings } = await admin.must('GET /api/settings/backups')
    await admin.must('PUT /api/settings/backups', {
      body: { ...settings, s3: null, place: 'other-node', storageNodeIds: [keepsId] },
    })
    const before = await filesIn(dataOf(lost, id))
    const params = { id }
    await done((await admin.must('POST /api/servers/{id}/backups', { params, body: {} })).jobId)
    await writeFile(path.join(dataOf(lost, id), 'later'), 'not in the backup')
    const { name } = await admin.must('GET /api/nodes/{id}', { params: { id: lostId } })

    await agent.kill()
    await machine.until(
      'the node is away',
      async () =>
        (await admin.must('GET /api/nodes/{id}', { params: { id: lostId } })).state === 'offline',
    )
    const { jobId } = await admin.must('POST /api/failover/run', {
      body: { nodeId: lostId, confirm: name },
    })
    await done(jobId)
    await allAre(machine, [id], 'running', 90_000)
    expect(await show()).toMatchObject({ nodeId: keepsId, holds: [] })
    expect(await filesIn(dataOf(keeps, id))).toEqual(before)
    // Only the agent was lost, so the container keeps running until its node learns the new state.
    const former = async () => (await containersOf(socket)).get(id)
    expect((await former())?.running).toBe(true)

    agent.start()
    await machine.until('the former copy is stopped', async () => {
      const { copies } = await admin.must('GET /api/failover/status')
      return copies.some((copy) => copy.serverId === id && copy.stoppedAt !== null)
    })
    expect((await former())?.running).toBe(false)
    expect(await isThere(path.join(dataOf(lost, id), 'later'))).toBe(true)
    await agent.kill()
    const since = Date.now()
    agent.start()
    await machine.until('its agent is back', async () => {
      const params = { id: lostId }
      const { connectedSince } = await admin.must('GET /api/nodes/{id}', { params })
      return Date.parse(connectedSince ?? '') >= since
    })
    expect((await former())?.running).toBe(false)
    await allAre(machine, [id], 'running', 20_000)
  })
})
