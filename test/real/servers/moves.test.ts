import { randomBytes } from 'node:crypto'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { treeOf } from '../../../agent/src/backups/testing/tree-of.ts'
import { runProgram } from '../../../drivers/contract/src/run-program.ts'
import { importBusybox } from '../../../drivers/docker/src/testing/busybox.ts'
import { lengthOf } from '../../run/lengths.ts'
import { containersOf } from '../support/containers.ts'
import { type Engine, engineIn } from '../support/engine.ts'
import { busyboxTemplate, type Machine, machineMissing, startMachine } from '../support/machine.ts'
import { makeNetwork, type Network } from '../support/network.ts'
import { type Program, program } from '../support/program.ts'
import { allAre, makeServers } from '../support/servers.ts'
import { wire } from '../support/wire.ts'

const missing = await machineMissing()
const repository = path.resolve(import.meta.dirname, '../../..')

/** Parts that are killed, three in each move. */
const KILLS = lengthOf('LODGE_MOVE_KILLS')
/** Of a move. */
const STEPS = 8

describe.skipIf(missing)('moves between two nodes with Docker', () => {
  let machine: Machine
  let network: Network
  let engine: Engine
  let other: Program
  let otherId: string
  let id: string
  let firstId: string
  /** Every server has a user of its own. */
  const filesIn = async (folder: string) =>
    [...(await treeOf(folder))].map(([name, facts]) => [name, { ...Object(facts), uid: 0, gid: 0 }])
  const dataOf = (agent: string, server: string) =>
    path.join(machine.folder, agent, 'servers/servers', server, 'data')
  beforeAll(async () => {
    machine = await startMachine()
    network = await makeNetwork()
    // The machine removes it with its own. Somebody else may have one of this name after that.
    await mkdir(path.join(machine.folder, network.name))
    await wire(machine.network, network)
    engine = engineIn({ folder: path.join(machine.folder, 'docker2'), network, liveRestore: true })
    await engine.start()
    await importBusybox(engine.socketPath)
    await joinOther()
    const script =
      'cd /data; test -e world || { mkdir -p world/deep empty; for i in $(seq 50); do echo $i > world/$i; done; ln -s ../world/1 world/deep/link; ln world/2 world/deep/same; }; echo ready; while :; do sleep 0.2; done'
    const limits = { memoryMb: 32, cpuPercent: 20, diskMb: 256 }
    const { ids } = await makeServers(machine, busyboxTemplate(script, { limits }), 1)
    id = ids[0] ?? ''
    await allAre(machine, ids, 'running', 120_000)
    firstId = (await show()).nodeId
  }, 300_000)
  afterAll(async () => {
    await other?.stop()
    await engine?.remove()
    await machine?.[Symbol.asyncDispose]()
  }, 120_000)

  async function joinOther(): Promise<void> {
    const { admin } = machine
    const node = await admin.must('POST /api/nodes', {
      body: {
        name: 'second',
        location: 'there',
        memoryMb: 512,
        cpuPercent: 100,
        diskMb: 2048,
        portRanges: [{ from: 26_000, to: 26_010 }],
      },
    })
    otherId = node.id
    const params = { id: node.id }
    const { token } = await admin.must('POST /api/nodes/{id}/enrollment', { params })
    const environment = {
      LODGE_AGENT_DATA: path.join(machine.folder, 'second'),
      LODGE_AGENT_DOCKER_SOCKET: engine.socketPath,
      LODGE_AGENT_MACHINES: 'none',
    }
    const entry = [process.execPath, 'agent/src/main.ts']
    const [file, args] = network.inside([...entry, 'join', token])
    const joined = await runProgram(file, args, { cwd: repository, environment })
    expect(joined.code, joined.output).toBe(0)
    const logFile = path.join(machine.folder, 'second.log')
    other = program({ network, command: [...entry, 'run'], cwd: repository, environment, logFile })
    other.start()
    await machine.until(
      'the second node is online',
      async () => (await admin.must('GET /api/nodes/{id}', { params })).state === 'online',
      60_000,
    )
  }

  const show = () => machine.admin.must('GET /api/servers/{id}', { params: { id } })
  const move = (nodeId: string) =>
    machine.admin.must('POST /api/servers/{id}/migrate', { params: { id }, body: { nodeId } })
  const isThere = (folder: string) =>
    stat(folder).then(
      () => true,
      () => false,
    )
  async function done(jobId: string) {
    const job = await machine.until(
      `the job ${jobId} ends`,
      async () => {
        const job = await machine.admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
        return job.endedAt ? job : undefined
      },
      200_000,
    )
    expect([job.state, job.failure?.detail ?? '']).toEqual(['done', ''])
    return job
  }
  const gone = (agent: string) =>
    machine.until(
      'the former copy is deleted',
      async () => !(await isThere(dataOf(agent, id))),
      60_000,
    )

  test('a running server has every byte and runs on the other node, after a short stop', async () => {
    const before = await filesIn(dataOf('lodge/agent', id))
    const { jobId } = await move(otherId)
    const job = await done(jobId)
    await allAre(machine, [id], 'running', 90_000)
    expect(await filesIn(dataOf('second', id))).toEqual(before)
    const { nodeId, port, holds } = await show()
    expect({ nodeId, holds }).toEqual({ nodeId: otherId, holds: [] })
    expect(port).toBeGreaterThanOrEqual(26_000)
    await gone('lodge/agent')
    const off = /off for ([\d.]+) s/.exec(job.steps.at(-1)?.detail ?? '')?.[1]
    expect(Number(off)).toBeLessThan(30)
  }, 240_000)

  test('it arrives whole although the panel and either agent are killed at any step', async () => {
    const { admin } = machine
    await writeFile(path.join(dataOf('second', id), 'big'), randomBytes(40_000_000))
    const before = await filesIn(dataOf('second', id))
    for (let round = 0; round * 3 < KILLS; round++) {
      const goes = round % 2 === 0 ? firstId : otherId
      const [from, to] = round % 2 === 0 ? ['second', 'lodge/agent'] : ['lodge/agent', 'second']
      const { jobId } = await move(goes)
      for (const [at, victim] of [machine.panel, other, machine.agent].entries()) {
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

  test('a server whose target is lost runs on where it is, and the target deletes its part when it is back', {
    tags: 'long',
    timeout: 400_000,
  }, async () => {
    const { admin } = machine
    const isFirst = (await show()).nodeId === firstId
    const [agent, socket] = isFirst
      ? ([other, engine.socketPath] as const)
      : ([machine.agent, machine.engine.socketPath] as const)
    const [sourceId, targetId] = isFirst ? [firstId, otherId] : [otherId, firstId]
    const [source, target] = isFirst ? ['lodge/agent', 'second'] : ['second', 'lodge/agent']
    const params = { id: targetId }
    const before = await filesIn(dataOf(source, id))
    const { name, allocated } = await admin.must('GET /api/nodes/{id}', { params })
    const { jobId } = await move(targetId)
    await agent.kill()
    await machine.until(
      'the node is away',
      async () => (await admin.must('GET /api/nodes/{id}', { params })).state === 'offline',
      60_000,
    )
    // A copy that has failed by then has given the move up already.
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
      60_000,
    )
    expect((await containersOf(socket)).get(id)).toBeUndefined()
    await allAre(machine, [id], 'running', 20_000)
    await admin.must('POST /api/nodes/{id}/uncordon', { params })
  })

  test('a server of a lost node runs again elsewhere, and its former copy is stopped for good', async () => {
    const { admin } = machine
    const isFirst = (await show()).nodeId === firstId
    const [agent, socket] = isFirst
      ? ([machine.agent, machine.engine.socketPath] as const)
      : ([other, engine.socketPath] as const)
    const [lostId, keepsId] = isFirst ? [firstId, otherId] : [otherId, firstId]
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
      60_000,
    )
    const { jobId } = await admin.must('POST /api/failover/run', {
      body: { nodeId: lostId, confirm: name },
    })
    await done(jobId)
    await allAre(machine, [id], 'running', 90_000)
    expect(await show()).toMatchObject({ nodeId: keepsId, holds: [] })
    expect(await filesIn(dataOf(keeps, id))).toEqual(before)
    // The agent alone was lost, so the container goes on until its node learns better.
    const former = async () => (await containersOf(socket)).get(id)
    expect((await former())?.running).toBe(true)

    agent.start()
    await machine.until(
      'the former copy is stopped',
      async () => {
        const { copies } = await admin.must('GET /api/failover/status')
        return copies.some((copy) => copy.serverId === id && copy.stoppedAt !== null)
      },
      60_000,
    )
    expect((await former())?.running).toBe(false)
    expect(await isThere(path.join(dataOf(lost, id), 'later'))).toBe(true)
    await agent.kill()
    const since = Date.now()
    agent.start()
    await machine.until(
      'its agent is back',
      async () => {
        const params = { id: lostId }
        const { connectedSince } = await admin.must('GET /api/nodes/{id}', { params })
        return Date.parse(connectedSince ?? '') >= since
      },
      60_000,
    )
    expect((await former())?.running).toBe(false)
    await allAre(machine, [id], 'running', 20_000)
  }, 300_000)
})
