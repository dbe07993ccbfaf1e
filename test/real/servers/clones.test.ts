import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { treeOf } from '../../../agent/src/backups/testing/tree-of.ts'
import { runProgram } from '../../../drivers/contract/src/run-program.ts'
import { importBusybox } from '../../../drivers/docker/src/testing/busybox.ts'
import { type Engine, engineIn } from '../support/engine.ts'
import { busyboxTemplate, type Machine, machineMissing, startMachine } from '../support/machine.ts'
import { makeNetwork, type Network } from '../support/network.ts'
import { type Program, program } from '../support/program.ts'
import { allAre, makeServers } from '../support/servers.ts'
import { wire } from '../support/wire.ts'

const missing = await machineMissing()
const repository = path.resolve(import.meta.dirname, '../../..')

describe.skipIf(missing)('clones on two nodes with Docker', () => {
  let machine: Machine
  let network: Network
  let engine: Engine
  let other: Program
  let otherId: string
  let id: string
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

  const clone = (name: string, nodeId: string) =>
    machine.admin.must('POST /api/servers/{id}/clone', {
      params: { id },
      body: { name, nodeId, includeData: true },
    })
  async function done(jobId: string): Promise<void> {
    const job = await machine.until(
      `the job ${jobId} ends`,
      async () => {
        const job = await machine.admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
        return job.endedAt ? job : undefined
      },
      200_000,
    )
    expect([job.state, job.failure?.detail ?? '']).toEqual(['done', ''])
  }

  test('a clone on the other node has every byte of a running server, and runs', async () => {
    const before = await filesIn(dataOf('lodge/agent', id))
    const { serverId, jobId } = await clone('Two', otherId)
    await done(jobId)
    expect(await filesIn(dataOf('second', serverId))).toEqual(before)
    expect(await filesIn(dataOf('lodge/agent', id))).toEqual(before)
    const params = { id: serverId }
    await machine.admin.must('POST /api/servers/{id}/actions', {
      params,
      body: { action: 'start' },
    })
    await allAre(machine, [id, serverId], 'running', 90_000)
    const { items } = await machine.admin.must('GET /api/servers/{id}/backups', {
      params: { id },
      query: {},
    })
    expect(items).toEqual([])
  }, 240_000)

  test('a clone arrives whole although the panel and either agent are killed meanwhile', {
    tags: 'long',
    timeout: 400_000,
  }, async () => {
    await writeFile(path.join(dataOf('lodge/agent', id), 'big'), randomBytes(40_000_000))
    const before = await filesIn(dataOf('lodge/agent', id))
    const { serverId, jobId } = await clone('Three', otherId)
    for (const victim of [machine.panel, machine.agent, other]) {
      await victim.kill()
      victim.start()
      await machine.until('everybody is back', () => machine.isUp(), 120_000)
    }
    await done(jobId)
    expect(await filesIn(dataOf('second', serverId))).toEqual(before)
  })
})
