import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { treeOf } from '../../../agent/src/backups/testing/tree-of.ts'
import { type JoinedNode, joinNode } from '../support/joined-node.ts'
import { type Machine, machineMissing, startMachine } from '../support/machine.ts'
import { endedJob } from '../support/servers.ts'
import { startWorld } from '../support/worlds.ts'

const missing = await machineMissing()

describe.skipIf(missing)('backups that another node stores', () => {
  let machine: Machine
  /** Stores them, and has no servers. */
  let storage: JoinedNode
  let id: string
  const data = () => path.join(machine.folder, 'lodge/agent')
  const keptIn = () => path.join(machine.folder, 'storage/backups/kept')
  const folder = () => path.join(data(), 'servers/servers', id, 'data')
  beforeAll(async () => {
    machine = await startMachine()
    storage = await joinStorage()
    id = await startWorld(machine)
  })
  afterAll(async () => {
    await storage?.[Symbol.asyncDispose]()
    await machine?.[Symbol.asyncDispose]()
  })

  async function joinStorage(): Promise<JoinedNode> {
    const { admin, network } = machine
    const environment = { LODGE_AGENT_DRIVER: 'fake' }
    const node = await joinNode(machine, { name: 'storage', network, environment })
    const settings = await admin.must('GET /api/settings/backups')
    await admin.must('PUT /api/settings/backups', {
      body: { ...settings, s3: null, place: 'other-node', storageNodeIds: [node.id] },
    })
    return node
  }

  const ended = async (jobId: string) => {
    const end = await endedJob(machine, jobId)
    return [end.state, end.failure?.detail ?? '']
  }
  const act = (body: { action: 'backup' | 'restore'; backupId?: string; confirm?: true }) =>
    machine.admin.must('POST /api/servers/{id}/actions', { params: { id }, body })
  const list = async () =>
    (await machine.admin.must('GET /api/servers/{id}/backups', { params: { id }, query: {} })).items

  test('are stored there and restored byte for byte, without their key ever being there', async () => {
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
  })

  test('succeed even if either agent or the panel is killed meanwhile', {
    tags: 'long',
    timeout: 600_000,
  }, async () => {
    await writeFile(path.join(folder(), 'big'), randomBytes(60_000_000))
    const before = await readFile(path.join(folder(), 'big'))
    for (const victim of [machine.agent, storage.agent, machine.panel]) {
      const { jobId } = await act({ action: 'backup' })
      await victim.kill()
      victim.start()
      await machine.until('everybody is back', () => machine.isUp(), 120_000)
      expect(await ended(jobId)).toEqual(['done', ''])
    }
    await writeFile(path.join(folder(), 'big'), 'ruined')
    const backupId = (await list())[0]?.id ?? ''
    const { jobId } = await act({ action: 'restore', backupId, confirm: true })
    await storage.agent.kill()
    storage.agent.start()
    expect(await ended(jobId)).toEqual(['done', ''])
    expect(before.equals(await readFile(path.join(folder(), 'big')))).toBe(true)
  })
})
