import { readlinkSync } from 'node:fs'
import { LEASE_TIMES, LEAST_TTL_SECONDS } from '@lodge/shared/leases/times.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { whyNoRestic } from '../../../agent/src/backups/restic-store.ts'
import { bootMs } from '../../../agent/src/guard/boot-clock.ts'
import { stateFile } from '../../../agent/src/guard/state-file.ts'
import { libvirtMissing } from '../../../drivers/libvirt/src/testing/node.ts'
import { ADMINISTRATOR } from '../../real/support/http-caller.ts'
import {
  type MachineFleet,
  type MachineNode,
  startMachineFleet,
} from '../../real/support/machine-fleet.ts'
import { CUT_WITHOUT_LIBVIRT, cutPower, LOSSES, switchOn } from './lost-node.ts'
import { contentsOf, isMarked, leftovers, mark, type Subject } from './machine-contents.ts'
import { runsOn } from './machine-faults.ts'
import { CopyWatch } from './machine-watch.ts'
import { JOB_MS, OneMachine, SILENT_MS } from './one-machine.ts'
import { PowerController } from './power-controller.ts'

const missing = (await libvirtMissing()) ?? (await whyNoRestic())
/** From then on until fencing was requested and has failed. */
const FENCED_MS = 60_000
/** From its return until a node has stopped servers that are elsewhere now. */
const STOPPED_MS = 60_000

describe.skipIf(missing !== null)(
  'a node with libvirt that is lost while a virtual machine runs on it',
  { tags: 'long' },
  () => {
    let fleet: MachineFleet
    let machine: OneMachine
    let subject: Subject
    let controller: PowerController
    const watch = new CopyWatch()

    beforeAll(async () => {
      controller = await PowerController.open()
      fleet = await startMachineFleet({ hasBackups: true, fenceCommand: controller.command })
      const { admin, nodes } = fleet
      const { s3: _, ...settings } = await admin.must('GET /api/settings/backups')
      const storageNodeIds = nodes.map(({ id }) => id)
      await admin.must('PUT /api/settings/backups', {
        body: { ...settings, place: 'other-node', storageNodeIds, s3: null },
      })
      machine = await OneMachine.make(fleet)
      subject = machine.subject
    })
    afterAll(async () => {
      watch.close()
      await fleet?.[Symbol.asyncDispose]()
      await controller?.[Symbol.asyncDispose]()
    })

    const show = () => machine.show()
    const nodeOf = ({ id }: MachineNode) =>
      fleet.admin.must('GET /api/nodes/{id}', { params: { id } })
    const status = () => fleet.admin.must('GET /api/failover/status')
    const qemus = () => machine.qemus()
    const isDefinedOn = async ({ libvirt }: MachineNode) =>
      (await libvirt.run('virsh', ['list', '--all', '--uuid'])).output.includes(subject.uuid)

    const done = (jobId: string) => machine.done(jobId)
    const act = (action: 'start' | 'kill' | 'backup') => machine.act(action)
    const off = () => machine.off()
    const partsOf = async (node: MachineNode) => Object.keys(await contentsOf(node, subject))

    /** It runs with changes that no backup contains. */
    async function running() {
      const { nodes } = fleet
      const lost = fleet.node((await show()).nodeId)
      const spare = nodes.find((node) => node !== lost) as MachineNode
      await mark(lost, subject, 1)
      const parts = await partsOf(lost)
      expect(parts).toEqual(['disk', 'firmware', expect.stringContaining('tpm2')])
      await act('backup')
      await mark(lost, subject, 2)
      await act('start')
      expect(runsOn(fleet, subject)).toBe(lost)
      return { lost, spare, parts }
    }
    const runningOn = ({ libvirt }: MachineNode) =>
      qemus().find(({ namespace }) => namespace === readlinkSync(libvirt.networkNamespace))

    /** After the return of its former node. The state is unchanged. */
    async function staysThere({ lost, spare, parts }: Awaited<ReturnType<typeof running>>) {
      const { admin } = fleet
      const there = runningOn(spare)
      expect(there).toBeDefined()
      await machine.stoppedOn(lost.id, STOPPED_MS)
      expect(qemus()).toEqual([there])
      watch.watch([subject.uuid])
      // Its copy stays for a week, and nothing starts it: neither its agent, nor a person by hand.
      expect(await isDefinedOn(lost)).toBe(true)
      const byHand = await lost.libvirt.run('virsh', ['start', subject.uuid])
      expect([byHand.code, byHand.output]).toEqual([
        1,
        expect.stringContaining('only the agent of this node may start it'),
      ])
      const restartedAt = Date.now()
      await lost.agent.kill()
      lost.agent.start()
      await fleet.until(
        'its agent is back',
        async () => Date.parse((await nodeOf(lost)).connectedSince ?? '') >= restartedAt,
        SILENT_MS,
      )
      expect(qemus()).toEqual([there])
      expect(await isMarked(lost, subject, 2)).toBe(true)

      await off()
      expect(await isMarked(spare, subject, 1)).toBe(true)
      expect(await partsOf(spare)).toEqual(parts)
      expect(await isMarked(lost, subject, 2)).toBe(true)

      // The retention is over, and the node takes servers again.
      await fleet.database.pool.query(
        `update superseded_copies set stopped_at = stopped_at - interval '8 days'`,
      )
      let left: string[] = []
      await fleet
        .until(
          'the copy is deleted',
          async () => {
            left = await leftovers(lost, subject)
            return left.length === 0
          },
          STOPPED_MS,
        )
        .catch((error: Error) => {
          throw new Error(`${left}: ${error.message}`)
        })
      if ((await nodeOf(lost)).cordoned)
        await admin.must('POST /api/nodes/{id}/uncordon', { params: { id: lost.id } })
    }

    test.each(LOSSES)(
      'whose $name: the machine comes back from its backup on the other node, and its former copy never starts again',
      {
        timeout: 900_000,
      },
      async ({ lose, bringBack, isAlive }) => {
        const { admin } = fleet
        const place = await running()
        const { lost, spare } = place
        // A live node that is declared dead runs the machine until it is connected again.
        watch.watch(isAlive ? [] : [subject.uuid])

        await lose(lost)
        await fleet.until(
          'the node counts as offline',
          async () => (await nodeOf(lost)).state === 'offline',
          SILENT_MS,
        )
        expect(qemus()).toHaveLength(isAlive ? 1 : 0)
        const plan = await admin.must('POST /api/failover/plan', { body: { nodeId: lost.id } })
        expect(plan.servers).toMatchObject([
          { serverId: subject.serverId, target: { nodeName: spare.name }, starts: true, why: null },
        ])
        await admin.must('POST /api/auth/step-up', {
          body: { password: ADMINISTRATOR.password },
        })
        const { jobId } = await admin.must('POST /api/failover/run', {
          body: { nodeId: lost.id, confirm: lost.name },
        })
        await done(jobId)
        await fleet.until('it runs there', async () => (await show()).status === 'running', JOB_MS)
        expect(await show()).toMatchObject({ nodeId: spare.id, holds: [] })
        expect(runningOn(spare)).toBeDefined()
        expect(qemus()).toHaveLength(isAlive ? 2 : 1)

        await bringBack(lost, fleet)
        await staysThere(place)
        expect(watch.seenTwice).toEqual([])
      },
    )

    test('taken over with a cut link and a dead libvirt: the guard ends the machine with the lease, and only then does it run on the other node', {
      timeout: 900_000,
    }, async () => {
      const { admin } = fleet
      const place = await running()
      const { lost, spare } = place
      const params = { id: lost.id }
      const body = { mode: 'auto', ttlSeconds: LEAST_TTL_SECONDS } as const
      await admin.must('PUT /api/nodes/{id}/failover', { params, body })
      await fleet.until(
        'the machine is guarded',
        async () => (await admin.must('GET /api/nodes/{id}/failover', { params })).guarded === 1,
        SILENT_MS,
      )
      watch.watch([subject.uuid])
      const { lose, bringBack } = CUT_WITHOUT_LIBVIRT
      await lose(lost)
      const kept = stateFile(lost.guard.folder)
      expect(qemus()).toHaveLength(1)
      await fleet.until('it ends', () => qemus().length === 0, SILENT_MS)
      const endedMs = bootMs()
      // Only the guard could end it, and it did so neither before nor long after the end of the
      // lease.
      const { deadlineMs } = kept.read()
      expect(endedMs).toBeGreaterThanOrEqual(deadlineMs)
      expect(endedMs - deadlineMs).toBeLessThan(LEASE_TIMES.marginMs)
      await fleet.until('it runs there', async () => (await show()).status === 'running', JOB_MS)
      expect(await show()).toMatchObject({ nodeId: spare.id, holds: [] })
      expect((await status()).runs[0]).toMatchObject({ automatic: true, startedBy: null })
      expect(qemus()).toEqual([runningOn(spare)])

      await bringBack(lost, fleet)
      await admin.must('PUT /api/nodes/{id}/failover', { params, body: { mode: 'pinned' } })
      await staysThere(place)
      expect(watch.seenTwice).toEqual([])
    })

    test('cut off, with a machine that runs on until its node is switched off: it starts elsewhere once the node is confirmed to be off, and not while that fails', {
      timeout: 900_000,
    }, async () => {
      const { admin } = fleet
      const place = await running()
      const { lost, spare } = place
      const params = { id: lost.id }
      await admin.must('PUT /api/nodes/{id}/failover', {
        params,
        body: { mode: 'stonith', ttlSeconds: LEAST_TTL_SECONDS },
      })
      watch.watch([subject.uuid])
      const failover = () => admin.must('GET /api/nodes/{id}/failover', { params })
      lost.line.cut(['out', 'in'])
      await fleet.until(
        'the command fails',
        async () => (await failover()).fencing?.failed?.includes('no outlet'),
        SILENT_MS + FENCED_MS,
      )
      expect(await controller.calls()).toEqual([`off ${lost.name}`])
      expect(qemus()).toEqual([runningOn(lost)])
      expect(await show()).toMatchObject({ nodeId: lost.id, holds: [] })

      await controller.connect(async () => {
        expect(qemus()).toEqual([runningOn(lost)])
        await cutPower(lost)
      })
      await fleet.until('it runs there', async () => (await show()).status === 'running', JOB_MS)
      expect(await show()).toMatchObject({ nodeId: spare.id, holds: [] })
      expect(qemus()).toEqual([runningOn(spare)])
      expect((await failover()).fencing).toMatchObject({ failed: null, tryAt: null })
      expect((await controller.calls()).at(-1)).toBe(`status ${lost.name}`)
      expect((await status()).runs[0]).toMatchObject({ automatic: true, startedBy: null })

      lost.line.mend()
      await switchOn(lost)
      await admin.must('PUT /api/nodes/{id}/failover', { params, body: { mode: 'pinned' } })
      await staysThere(place)
      expect(watch.seenTwice).toEqual([])
    })
  },
)

test(missing === null ? 'libvirt is available for the test' : `skipped: ${missing}`, () => {
  if (process.env.CI) expect(missing).toBeNull()
})
