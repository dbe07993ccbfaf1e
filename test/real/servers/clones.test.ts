import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DockerNode, startSecondNode } from '../support/joined-node.ts'
import { type Machine, machineMissing, startMachine } from '../support/machine.ts'
import { allAre, endedJob } from '../support/servers.ts'
import { dataFolderOf, filesIn, startWorld } from '../support/worlds.ts'

const missing = await machineMissing()

describe.skipIf(missing)('clones on two nodes with Docker', () => {
  let machine: Machine
  let second: DockerNode
  let id: string
  const dataOf = (agent: string, server: string) => dataFolderOf(machine, agent, server)
  beforeAll(async () => {
    machine = await startMachine()
    second = await startSecondNode(machine)
    id = await startWorld(machine)
  })
  afterAll(async () => {
    await second?.[Symbol.asyncDispose]()
    await machine?.[Symbol.asyncDispose]()
  })

  const clone = (name: string, nodeId: string) =>
    machine.admin.must('POST /api/servers/{id}/clone', {
      params: { id },
      body: { name, nodeId, includeData: true },
    })
  async function done(jobId: string): Promise<void> {
    const job = await endedJob(machine, jobId)
    expect([job.state, job.failure?.detail ?? '']).toEqual(['done', ''])
  }

  test('a clone on the other node has every byte of a running server, and runs', async () => {
    const before = await filesIn(dataOf('lodge/agent', id))
    const { serverId, jobId } = await clone('Two', second.id)
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
  })

  test('a clone is complete even if the panel and either agent are killed meanwhile', {
    tags: 'long',
  }, async () => {
    await writeFile(path.join(dataOf('lodge/agent', id), 'big'), randomBytes(40_000_000))
    const before = await filesIn(dataOf('lodge/agent', id))
    const { serverId, jobId } = await clone('Three', second.id)
    for (const victim of [machine.panel, machine.agent, second.agent]) {
      await victim.kill()
      victim.start()
      await machine.until('everybody is back', () => machine.isUp(), 120_000)
    }
    await done(jobId)
    expect(await filesIn(dataOf('second', serverId))).toEqual(before)
  })
})
