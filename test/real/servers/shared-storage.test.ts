import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { exists } from '@lodge/shared/local/files.ts'
import { FIRST_STORAGE_UID } from '@lodge/shared/shared-storage.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runProgram } from '../../../drivers/contract/src/run-program.ts'
import { endWorkloads } from '../../../drivers/docker/src/testing/remains.ts'
import { containersOf } from '../support/containers.ts'
import { type Gluster, glusterMissing, startGluster } from '../support/gluster.ts'
import { type DockerNode, startSecondNode } from '../support/joined-node.ts'
import { busyboxTemplate, type Machine, machineMissing, startMachine } from '../support/machine.ts'
import { allAre, endedJob } from '../support/servers.ts'

const missing = await machineMissing()

/** Appends one line after the other, and continues at the end of the file. */
const COUNTS = [
  'cd /data',
  'last=$(tail -n 1 count 2>/dev/null)',
  'echo ready',
  'while :; do last=$((last + 1)); echo $last >> count; sleep 0.05; done',
].join('; ')

const noGluster = await glusterMissing()
/** What the two nodes have mounted: the same folder, or a volume of a network file system. */
const STORAGES = [
  { name: 'one folder', isGluster: false },
  ...(noGluster === null ? [{ name: 'a volume of GlusterFS', isGluster: true }] : []),
]

describe.skipIf(missing).each(STORAGES)(
  'two nodes with Docker that have mounted $name',
  ({ isGluster }) => {
    let root: string
    let gluster: Gluster | undefined
    let machine: Machine
    let second: DockerNode
    let id: string
    beforeAll(async () => {
      root = await mkdtemp(path.join(os.tmpdir(), 'lodge-shared-'))
      await mkdir(path.join(root, 'exported/lodge'), { recursive: true })
      if (isGluster) {
        gluster = await startGluster(path.join(root, 'gluster'))
        await mkdir(path.join(root, 'look'))
        await gluster.mount(path.join(root, 'look'))
        // Linux does not recognise FUSE mounts as shared storage, so the operator declares it.
        await mkdir(path.join(root, 'look/lodge'))
      }
      machine = await startMachine({ agentEnvironment: await mounted('here') })
      second = await startSecondNode(machine, await mounted('there'))
      const { admin } = machine
      const { storages } = await admin.must('GET /api/nodes/{id}', { params: { id: second.id } })
      const limits = { memoryMb: 32, cpuPercent: 20, diskMb: 256 }
      const { template } = await admin.must('POST /api/templates/import', {
        body: { document: { ...busyboxTemplate(COUNTS, { limits }) } },
      })
      const { serverId } = await admin.must('POST /api/servers', {
        body: {
          ...{ name: 'counter', ownerId: (await admin.must('GET /api/auth/me')).id },
          ...{ templateId: template.id, nodeId: second.id, storageId: storages[0]?.id ?? '' },
        },
      })
      id = serverId
      await allAre(machine, [id], 'running', 120_000)
    })
    afterAll(async () => {
      await second?.[Symbol.asyncDispose]()
      await machine?.[Symbol.asyncDispose]()
      await gluster?.[Symbol.asyncDispose]()
      if (!gluster)
        for (const name of ['here', 'there']) await runProgram('umount', [path.join(root, name)])
      await rm(root, { recursive: true, force: true })
    })

    /** Mounts the storage on one node, and reports it to its agent. */
    async function mounted(name: string): Promise<Record<string, string>> {
      const at = path.join(root, name)
      await mkdir(at)
      if (gluster) await gluster.mount(at)
      else {
        const { code } = await runProgram('mount', ['--bind', path.join(root, 'exported'), at])
        expect(code).toBe(0)
      }
      return { LODGE_AGENT_SHARED_STORAGES: `fast=${at}` }
    }
    /** Seen from a third machine, not from either node. */
    const countFile = () =>
      path.join(root, gluster ? 'look' : 'exported', 'lodge/servers', id, 'data/count')
    const counted = async () => (await readFile(countFile(), 'utf8')).trim().split('\n').map(Number)
    const inOrder = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
    const nodeOf = (nodeId: string) =>
      machine.admin.must('GET /api/nodes/{id}', { params: { id: nodeId } })
    const grows = async () => {
      const before = (await counted()).length
      await machine
        .until('it writes', async () => (await counted()).length > before)
        .catch(async (error: Error) => {
          throw new Error(`${error.message}\n${await standing()}`)
        })
    }
    /** The current state of the server, for an unexpected result. */
    async function standing(): Promise<string> {
      const { status, nodeId, failure } = await machine.admin.must('GET /api/servers/{id}', {
        params: { id },
      })
      const containers = await Promise.all(
        [machine.engine, second.engine].map(async ({ socketPath }) =>
          containersOf(socketPath).then(
            (found) => found.get(id) ?? null,
            (error: Error) => error.message,
          ),
        ),
      )
      return JSON.stringify({ status, nodeId, failure, containers })
    }

    test('a lost node’s server continues with its last written byte, and nothing is deleted when the node returns', {
      tags: 'long',
    }, async () => {
      const { admin } = machine
      await grows()
      // Like a power cut: agent, engine and every process are gone.
      await second.agent.kill()
      await second.engine.program.kill()
      await endWorkloads(path.join(machine.folder, 'docker2'))
      await machine.until(
        'the node is away',
        async () => (await nodeOf(second.id)).state === 'offline',
      )
      const atLoss = await counted()
      const { jobId } = await admin.must('POST /api/failover/run', {
        body: { nodeId: second.id, confirm: 'second' },
      })
      const job = await endedJob(machine, jobId)
      expect([job.state, job.failure?.detail ?? '']).toEqual(['done', ''])
      await allAre(machine, [id], 'running', 90_000)
      const { nodeId } = await admin.must('GET /api/servers/{id}', { params: { id } })
      expect(nodeId).toBe(machine.nodeId)
      await grows()
      const after = await counted()
      expect(after.slice(0, atLoss.length)).toEqual(atLoss)
      expect(after).toEqual(inOrder(after.length))

      await second.engine.start()
      second.agent.start()
      await machine.until('its copy is stopped for good', async () => {
        const { copies } = await admin.must('GET /api/failover/status')
        return copies.some(({ serverId, stoppedAt }) => serverId === id && stoppedAt !== null)
      })
      await machine.database.query(
        `update superseded_copies set stopped_at = stopped_at - interval '8 days'`,
      )
      await machine.until(
        'its copy is gone',
        async () => !(await containersOf(second.engine.socketPath)).has(id),
      )
      await grows()
      const whole = await counted()
      expect(whole).toEqual(inOrder(whole.length))

      // And by moving it back without copying.
      await admin.must('POST /api/nodes/{id}/uncordon', { params: { id: second.id } })
      const moved = await admin.must('POST /api/servers/{id}/migrate', {
        params: { id },
        body: { nodeId: second.id },
      })
      expect((await endedJob(machine, moved.jobId)).state).toBe('done')
      await grows()
      const there = await counted()
      expect(there).toEqual(inOrder(there.length))
      expect((await containersOf(second.engine.socketPath)).get(id)?.running).toBe(true)

      // A backup reads the files there, and a restore replaces them.
      const act = async (body: {
        action: 'backup' | 'restore'
        backupId?: string
        confirm?: true
      }) => {
        const { jobId: acted } = await admin.must('POST /api/servers/{id}/actions', {
          params: { id },
          body,
        })
        const end = await endedJob(machine, acted)
        expect([end.state, end.failure?.detail ?? '']).toEqual(['done', ''])
      }
      await act({ action: 'backup' })
      const backedUp = await counted()
      await grows()
      const { items } = await admin.must('GET /api/servers/{id}/backups', {
        params: { id },
        query: {},
      })
      await act({ action: 'restore', backupId: items[0]?.id ?? '', confirm: true })
      await allAre(machine, [id], 'running', 60_000)
      await grows()
      const restored = await counted()
      expect(restored).toEqual(inOrder(restored.length))
      expect(backedUp.length).toBeGreaterThan(0)

      // It is moved to the disk of the other node with its files, which are removed from the storage,
      // and back.
      const { storage } = await admin.must('GET /api/servers/{id}', { params: { id } })
      const changed = async (nodeId: string, storageId: string | null) => {
        const { jobId: job } = await admin.must('POST /api/servers/{id}/migrate', {
          ...{ params: { id }, body: { nodeId, storageId, confirmBackupsLeft: true } },
        })
        const end = await endedJob(machine, job)
        expect([end.state, end.failure?.detail ?? '']).toEqual(['done', ''])
        await allAre(machine, [id], 'running', 60_000)
      }
      const gone = () =>
        machine.until(
          'its files are gone from the storage',
          async () => !(await exists(path.dirname(path.dirname(countFile())))),
        )
      await changed(machine.nodeId, null)
      await gone()
      await changed(second.id, storage?.id ?? null)
      await grows()
      const onStorage = await counted()
      expect(onStorage).toEqual(inOrder(onStorage.length))
      expect(onStorage.length).toBeGreaterThan(restored.length)
      // Its user ID there belongs to the storage, on every node.
      expect((await stat(countFile())).uid).toBeGreaterThanOrEqual(FIRST_STORAGE_UID)

      // The same on its own node.
      await changed(second.id, null)
      await gone()
      await changed(second.id, storage?.id ?? null)
      await grows()
      const inPlace = await counted()
      expect(inPlace).toEqual(inOrder(inPlace.length))
      expect(inPlace.length).toBeGreaterThan(onStorage.length)
    })
  },
)

test(noGluster === null
  ? 'GlusterFS is available for the test'
  : `skipped on GlusterFS: ${noGluster}`, {
  tags: 'long',
}, () => {
  if (process.env.CI) expect(noGluster).toBeNull()
})
