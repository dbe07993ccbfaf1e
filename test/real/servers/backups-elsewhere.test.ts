import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { treeOf } from '../../../agent/src/backups/testing/tree-of.ts'
import { runProgram } from '../../../drivers/contract/src/run-program.ts'
import { busyboxTemplate, type Machine, machineMissing, startMachine } from '../support/machine.ts'
import { type Program, program } from '../support/program.ts'
import { allAre, makeServers } from '../support/servers.ts'

const missing = await machineMissing()
const repository = path.resolve(import.meta.dirname, '../../..')

describe.skipIf(missing)('backups that another node keeps', () => {
  let machine: Machine
  /** Keeps them, and has no servers. */
  let storage: Program
  let id: string
  const data = () => path.join(machine.folder, 'lodge/agent')
  const keptIn = () => path.join(machine.folder, 'storage/backups/kept')
  const folder = () => path.join(data(), 'servers/servers', id, 'data')
  beforeAll(async () => {
    machine = await startMachine()
    storage = await joinStorage()
    const script =
      'cd /data; test -e world || { mkdir -p world/deep empty; for i in $(seq 50); do echo $i > world/$i; done; ln -s ../world/1 world/deep/link; ln world/2 world/deep/same; }; echo ready; while :; do sleep 0.2; done'
    const limits = { memoryMb: 32, cpuPercent: 20, diskMb: 256 }
    const { ids } = await makeServers(machine, busyboxTemplate(script, { limits }), 1)
    id = ids[0] ?? ''
    await allAre(machine, ids, 'running', 120_000)
  }, 300_000)
  afterAll(async () => {
    await storage?.stop()
    await machine?.[Symbol.asyncDispose]()
  }, 120_000)

  async function joinStorage(): Promise<Program> {
    const { admin, network } = machine
    const node = await admin.must('POST /api/nodes', {
      body: { name: 'storage', location: 'there', memoryMb: 512, cpuPercent: 100, diskMb: 1024 },
    })
    const params = { id: node.id }
    const { token } = await admin.must('POST /api/nodes/{id}/enrollment', { params })
    const environment = {
      LODGE_AGENT_DATA: path.join(machine.folder, 'storage'),
      LODGE_AGENT_DRIVER: 'fake',
      LODGE_AGENT_MACHINES: 'none',
    }
    const entry = [process.execPath, 'agent/src/main.ts']
    const [file, args] = network.inside([...entry, 'join', token])
    const joined = await runProgram(file, args, { cwd: repository, environment })
    expect(joined.code, joined.output).toBe(0)
    const agent = program({
      network,
      command: [...entry, 'run'],
      cwd: repository,
      environment,
      logFile: path.join(machine.folder, 'storage.log'),
    })
    agent.start()
    await machine.until(
      'it is online',
      async () => (await admin.must('GET /api/nodes/{id}', { params })).state === 'online',
      60_000,
    )
    const settings = await admin.must('GET /api/settings/backups')
    await admin.must('PUT /api/settings/backups', {
      body: { ...settings, s3: null, place: 'other-node', storageNodeIds: [node.id] },
    })
    return agent
  }

  const ended = async (jobId: string) => {
    const end = await machine.until(
      `the job ${jobId} ends`,
      async () => {
        const job = await machine.admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
        return job.endedAt ? job : undefined
      },
      200_000,
    )
    return [end.state, end.failure?.detail ?? '']
  }
  const act = (body: { action: 'backup' | 'restore'; backupId?: string; confirm?: true }) =>
    machine.admin.must('POST /api/servers/{id}/actions', { params: { id }, body })
  const list = async () =>
    (await machine.admin.must('GET /api/servers/{id}/backups', { params: { id }, query: {} })).items

  test('are made there and come back byte for byte, and their key is never there', async () => {
    const before = await treeOf(folder())
    expect(await ended((await act({ action: 'backup' })).jobId)).toEqual(['done', ''])
    const [backup] = await list()
    expect(backup).toMatchObject({ state: 'good', place: 'other-node', keptOnNode: 'storage' })
    const [kept = ''] = await readdir(keptIn())
    expect(await readdir(path.join(keptIn(), kept))).toEqual(
      expect.arrayContaining(['config', 'data', 'index', 'keys', 'snapshots']),
    )
    expect(existsSync(path.join(data(), 'backups/repositories'))).toBe(false)
    await rm(path.join(folder(), 'world'), { recursive: true })
    const backupId = backup?.id ?? ''
    const { jobId } = await act({ action: 'restore', backupId, confirm: true })
    expect(await ended(jobId)).toEqual(['done', ''])
    expect(await treeOf(folder())).toEqual(before)
    const params = { id, backupId }
    const gone = await machine.admin.must('DELETE /api/servers/{id}/backups/{backupId}', { params })
    expect(await ended(gone.jobId)).toEqual(['done', ''])
    expect(await readdir(path.join(keptIn(), kept, 'snapshots'))).toEqual([])
  }, 240_000)

  test('end well although either agent or the panel is killed meanwhile', {
    tags: 'long',
    timeout: 600_000,
  }, async () => {
    await writeFile(path.join(folder(), 'big'), randomBytes(60_000_000))
    const before = await readFile(path.join(folder(), 'big'))
    for (const victim of [machine.agent, storage, machine.panel]) {
      const { jobId } = await act({ action: 'backup' })
      await victim.kill()
      victim.start()
      await machine.until('everybody is back', () => machine.isUp(), 120_000)
      expect(await ended(jobId)).toEqual(['done', ''])
    }
    await writeFile(path.join(folder(), 'big'), 'ruined')
    const backupId = (await list())[0]?.id ?? ''
    const { jobId } = await act({ action: 'restore', backupId, confirm: true })
    await storage.kill()
    storage.start()
    expect(await ended(jobId)).toEqual(['done', ''])
    expect(before.equals(await readFile(path.join(folder(), 'big')))).toBe(true)
  })
})
