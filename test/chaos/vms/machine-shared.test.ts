import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { LEAST_TTL_SECONDS } from '@lodge/shared/leases/times.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { whyNoRestic } from '../../../agent/src/backups/restic-store.ts'
import { imageOf } from '../../../drivers/libvirt/src/disks/image-disks.ts'
import { cephMissing, startCeph, type TestCeph } from '../../../drivers/libvirt/src/testing/ceph.ts'
import { libvirtMissing } from '../../../drivers/libvirt/src/testing/node.ts'
import { ADMINISTRATOR } from '../../real/support/http-caller.ts'
import {
  type MachineFleet,
  type MachineNode,
  startMachineFleet,
} from '../../real/support/machine-fleet.ts'
import { type FuseStorage, fuseMissing, fuseStorage } from './fuse-storage.ts'
import { CUT_WITHOUT_LIBVIRT, LOSSES } from './lost-node.ts'
import { contentsIn, isMarkedIn, leftovers, markIn, type Subject } from './machine-contents.ts'
import { runsOn } from './machine-faults.ts'
import { CopyWatch } from './machine-watch.ts'
import { JOB_MS, OneMachine, SILENT_MS } from './one-machine.ts'

const missing = (await libvirtMissing()) ?? (await whyNoRestic()) ?? (await fuseMissing())
const KINDS = [
  { hasPool: false, title: 'one storage', why: missing },
  { hasPool: true, title: 'one storage with an RBD pool', why: missing ?? (await cephMissing()) },
]

describe.each(KINDS.filter(({ why }) => why === null))(
  'two nodes with libvirt that have $title',
  { tags: 'long' },
  ({ hasPool }) => {
    let fleet: MachineFleet
    let storage: FuseStorage
    let ceph: TestCeph | undefined
    let machine: OneMachine
    let subject: Subject
    /** The machine's folder on the storage, bypassing every node. */
    let home: string
    const watch = new CopyWatch()

    beforeAll(async () => {
      storage = await fuseStorage()
      ceph = hasPool ? await startCeph() : undefined
      fleet = await startMachineFleet({
        hasBackups: true,
        prepare: async (name, libvirt) => {
          await ceph?.reach(libvirt)
          return {
            LODGE_AGENT_SHARED_STORAGES: `fast=${await storage.mount(name, libvirt)}`,
            ...(ceph && { LODGE_AGENT_RBD_POOLS: `fast=${ceph.setting}` }),
          }
        },
      })
      const [first, second] = await Promise.all(fleet.nodes.map(storagesOf))
      expect(first).toMatchObject([{ name: 'fast', why: null }])
      expect(second?.[0]?.id).toBe(first?.[0]?.id)
      machine = await OneMachine.make(fleet, { storageId: first?.[0]?.id ?? '' })
      subject = machine.subject
      home = path.join(storage.exported, 'lodge/servers', subject.serverId, 'data')
    })
    afterAll(async () => {
      watch.close()
      await fleet?.[Symbol.asyncDispose]()
      await storage?.[Symbol.asyncDispose]()
      await ceph?.[Symbol.asyncDispose]()
    })

    const storagesOf = async (node: MachineNode) => (await nodeOf(node)).storages
    const nodeOf = ({ id }: MachineNode) =>
      fleet.admin.must('GET /api/nodes/{id}', { params: { id } })
    const params = () => ({ id: subject.serverId })
    const show = () => machine.show()
    const status = () => fleet.admin.must('GET /api/failover/status')
    const qemus = () => machine.qemus()
    const disk = async () => {
      const file = path.join(home, 'disks/system')
      return ceph
        ? ({ format: 'raw', location: ceph.located(await imageOf(`${file}.rbd`)) } as const)
        : ({ format: 'qcow2', location: `${file}.qcow2` } as const)
    }
    const contents = async () => contentsIn(home, path.join(home, 'tpm'), await disk())
    const holder = async () =>
      JSON.parse(await readFile(path.join(home, '../holder.json'), 'utf8')).nodeId
    const isRunning = () =>
      fleet.until('it runs', async () => (await show()).status === 'running', JOB_MS)
    const otherThan = (node: MachineNode) => fleet.nodes.find((one) => one !== node) as MachineNode

    const done = (jobId: string) => machine.done(jobId)
    const act = (action: 'start' | 'kill') => machine.act(action)
    const off = () => machine.off()
    /** Changes its disk while it is off, and starts it. */
    async function running(byte: number): Promise<MachineNode> {
      await markIn(await disk(), byte)
      await act('start')
      const node = runsOn(fleet, subject)
      if (!node) throw new Error(`it runs nowhere\n${fleet.words()}`)
      return node
    }
    /** Its former node is back, with the storage mounted late, and has nothing of the machine. */
    async function staysAt(spare: MachineNode, lost: MachineNode, byte: number): Promise<void> {
      const { admin } = fleet
      await machine.stoppedOn(lost.id, SILENT_MS)
      expect(runsOn(fleet, subject)).toBe(spare)
      expect(qemus()).toHaveLength(1)
      const byHand = await lost.libvirt.run('virsh', ['start', subject.uuid])
      expect(byHand.code).toBe(1)
      await fleet.database.pool.query(
        `update superseded_copies set stopped_at = stopped_at - interval '8 days'`,
      )
      await fleet.until(
        'its copy is gone',
        async () => (await leftovers(lost, subject)).length === 0,
        SILENT_MS,
      )
      expect(qemus()).toHaveLength(1)
      expect(await holder()).toBe(spare.id)
      await off()
      expect(await isMarkedIn(await disk(), byte)).toBe(true)
      expect(Object.keys(await contents())).toEqual([
        'disk',
        'firmware',
        expect.stringContaining('tpm2'),
      ])
      if ((await nodeOf(lost)).cordoned)
        await admin.must('POST /api/nodes/{id}/uncordon', { params: { id: lost.id } })
    }

    test('a machine moves without copying, with disk, firmware, TPM and snapshots', {
      timeout: 600_000,
    }, async () => {
      const { admin } = fleet
      const source = fleet.node((await show()).nodeId)
      const target = otherThan(source)
      await markIn(await disk(), 1)
      const before = await contents()
      const taken = await admin.must('POST /api/servers/{id}/vm/snapshots', {
        params: params(),
        body: { name: 'before' },
      })
      await done(taken.jobId)
      watch.watch([subject.uuid])
      const { jobId } = await admin.must('POST /api/servers/{id}/migrate', {
        params: params(),
        body: { nodeId: target.id },
      })
      await done(jobId)
      expect(await contents()).toEqual(before)
      await act('start')
      expect(runsOn(fleet, subject)).toBe(target)
      expect(await holder()).toBe(target.id)
      await fleet.until(
        'its former node has forgotten it',
        async () => (await leftovers(source, subject)).length === 0,
        SILENT_MS,
      )
      await off()
      await markIn(await disk(), 2)
      const { snapshots } = await admin.must('GET /api/servers/{id}/vm', { params: params() })
      const restored = await admin.must('POST /api/servers/{id}/vm/snapshots/{snapshot}/restore', {
        params: { ...params(), snapshot: snapshots[0]?.id ?? '' },
        body: { confirm: true },
      })
      await done(restored.jobId)
      expect(await contents()).toEqual(before)
      expect(watch.seenTwice).toEqual([])
    })

    test('a node loses power: the machine starts on the other one with its last block, and the returning node changes nothing', {
      timeout: 600_000,
    }, async () => {
      const { admin } = fleet
      const lost = await running(3)
      const spare = otherThan(lost)
      const [power] = LOSSES
      await power?.lose(lost)
      await fleet.until(
        'the node counts as offline',
        async () => (await nodeOf(lost)).state === 'offline',
        SILENT_MS,
      )
      const { servers } = await admin.must('POST /api/failover/plan', { body: { nodeId: lost.id } })
      expect(servers).toMatchObject([{ storage: 'fast', backup: null, starts: true, why: null }])
      await admin.must('POST /api/auth/step-up', {
        body: { password: ADMINISTRATOR.password },
      })
      const { jobId } = await admin.must('POST /api/failover/run', {
        body: { nodeId: lost.id, confirm: lost.name },
      })
      await done(jobId)
      await isRunning()
      expect(runsOn(fleet, subject)).toBe(spare)

      // Its agent is back before the storage is mounted.
      await power?.bringBack(lost, fleet)
      await fleet.until(
        'the storage is missed there',
        async () => (await storagesOf(lost))[0]?.id === null,
        SILENT_MS,
      )
      await ceph?.reach(lost.libvirt)
      await storage.mount(lost.name, lost.libvirt)
      await admin.must('POST /api/nodes/{id}/checks', { params: { id: lost.id } })
      await fleet.until(
        'the storage is there',
        async () => (await storagesOf(lost))[0]?.why === null,
        SILENT_MS,
      )
      await staysAt(spare, lost, 3)
      expect(watch.seenTwice).toEqual([])
    })

    test('a node with a dead libvirt is cut off: its guard ends the machine with the lease, and it starts on the other one', {
      timeout: 600_000,
    }, async () => {
      const { admin } = fleet
      const lost = await running(4)
      const spare = otherThan(lost)
      const of = { params: { id: lost.id } }
      const body = { mode: 'auto', ttlSeconds: LEAST_TTL_SECONDS } as const
      await admin.must('PUT /api/nodes/{id}/failover', { ...of, body })
      await fleet.until(
        'the machine is guarded',
        async () => (await admin.must('GET /api/nodes/{id}/failover', of)).guarded === 1,
        SILENT_MS,
      )
      await CUT_WITHOUT_LIBVIRT.lose(lost)
      await fleet.until('it ends', () => qemus().length === 0, SILENT_MS)
      await isRunning()
      expect(runsOn(fleet, subject)).toBe(spare)
      expect((await status()).runs[0]).toMatchObject({
        ...{ automatic: true, servers: [{ storage: 'fast', backupAt: null, state: 'restored' }] },
      })
      await CUT_WITHOUT_LIBVIRT.bringBack(lost, fleet)
      await admin.must('PUT /api/nodes/{id}/failover', { ...of, body: { mode: 'pinned' } })
      await staysAt(spare, lost, 4)
      expect(watch.seenTwice).toEqual([])

      const { jobId } = await admin.must('DELETE /api/servers/{id}', {
        params: params(),
        query: { confirm: 'true' },
      })
      await done(jobId)
      await expect(readFile(path.join(home, '../holder.json'))).rejects.toThrow('ENOENT')
      if (ceph) expect(await ceph.images()).toEqual([expect.stringMatching(/^lodge\./)])
    })
  },
)

// A Ceph is not among the packages that every run installs, hence the long run.
for (const { title, why } of KINDS) {
  const name = why === null ? `${title} is available for the test` : `skipped ${title}: ${why}`
  test(name, { tags: 'long' }, () => {
    if (process.env.CI) expect(why).toBeNull()
  })
}
