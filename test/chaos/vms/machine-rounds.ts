import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { drawn } from '../../../drivers/contract/src/suite/chance.ts'
import type { MachineFleet, MachineNode } from '../../real/support/machine-fleet.ts'
import {
  contentsOf,
  halves,
  leftovers,
  mark,
  type Subject,
  serialLine,
  serves,
  snapshotContents,
} from './machine-contents.ts'
import { type Blow, moment, runsOn, strike } from './machine-faults.ts'
import { WatchedJobs } from './machine-jobs.ts'
import { type CopyWatch, processesOf } from './machine-watch.ts'

/** A guest without KVM, and a part that restarts first. */
const BOOT_MS = 240_000
const GONE_MS = 90_000
/** A node reports a libvirt that has restarted. */
const BACK_MS = 60_000
export const SSH_KEY =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEy'

/** Its process runs and it has a permit, or the web server of its guest responds. */
type UpTo = 'process' | 'guest'

/** The result of one round. */
export interface Round {
  readonly blow: Blow | null
  /** False when the step or the process ended before the fault. */
  struck: boolean
  /** How the job ended, and with what reason. */
  outcome: string
  tookMs: number
}

interface Catalogue {
  readonly profileId: string
  readonly networkId: string
  readonly imageId: string
}

/** Consecutive rounds on one machine: an operation, a fault, and the checks after it. */
export class Rounds {
  readonly #fleet: MachineFleet
  readonly #catalogue: Catalogue
  readonly #watch: CopyWatch
  readonly #jobs: WatchedJobs
  #subject: Subject | undefined

  constructor(fleet: MachineFleet, catalogue: Catalogue, watch: CopyWatch) {
    this.#fleet = fleet
    this.#catalogue = catalogue
    this.#watch = watch
    this.#jobs = new WatchedJobs(fleet)
  }

  /** @param upTo the state that the machine must reach in the end, if nothing failed before */
  async run(operation: Blow['operation'], blow: Blow | null, upTo: UpTo): Promise<Round> {
    const beganMs = Date.now()
    const round: Round = { blow, struck: false, outcome: '', tookMs: 0 }
    if (operation === 'create') await this.#create(round, upTo)
    else {
      if (!this.#subject) await this.#create({ ...round, blow: null }, 'process')
      if (operation === 'snapshot') await this.#snapshot(round, upTo)
      else if (operation === 'restore') await this.#restore(round, upTo)
      else await this.#move(round, upTo)
    }
    await this.#isTidy()
    expect(this.#watch.seenTwice).toEqual([])
    round.tookMs = Date.now() - beganMs
    return round
  }

  /** Deletes the machine and checks that nothing remains. */
  async delete(): Promise<void> {
    const subject = this.#subject
    if (!subject) return
    const params = { id: subject.serverId }
    const { jobId } = await this.#fleet.admin.must('DELETE /api/servers/{id}', {
      params,
      query: { confirm: 'true' },
    })
    expect(await this.#jobs.ended(jobId)).toBe('done')
    this.#subject = undefined
    for (const node of this.#fleet.nodes) expect(await leftovers(node, subject)).toEqual([])
    const { rows } = await this.#fleet.database.pool.query(
      `select allocated_memory_mb + allocated_cpu_percent + allocated_disk_mb + allocated_servers as taken,
              (select count(*)::int from vm_addresses) as addresses from nodes`,
    )
    expect(rows).toEqual([
      { taken: 0, addresses: 0 },
      { taken: 0, addresses: 0 },
    ])
  }

  async #create(round: Round, upTo: UpTo): Promise<void> {
    await this.delete()
    const { admin, nodes } = this.#fleet
    const home = nodes[drawn(0, 2)] as MachineNode
    const { serverId, jobId } = await this.#order(home)
    const { uuid, network } = await admin.must('GET /api/servers/{id}/vm', {
      params: { id: serverId },
    })
    this.#subject = { serverId, uuid, mac: network.mac, address: network.address }
    this.#watch.watch([uuid])
    round.outcome = await this.#through(round, jobId, home, 'create')
    await this.#ready(this.#subject, home, upTo)
    await this.#off(this.#subject)
  }

  /** Creates it as soon as the node reports again that it can: the last fault may be just over. */
  async #order(home: MachineNode): Promise<{ serverId: string; jobId: string }> {
    const { admin, adminId } = this.#fleet
    const body = {
      name: `Machine ${randomUUID().slice(0, 8)}`,
      ownerId: adminId,
      nodeId: home.id,
      memoryMb: 256,
      diskMb: 32,
      templateId: this.#catalogue.profileId,
      vm: {
        networkId: this.#catalogue.networkId,
        vcpus: 1,
        guestPort: 80,
        source: {
          kind: 'image' as const,
          mediumId: this.#catalogue.imageId,
          seed: { hostname: 'run-guest', sshKeys: [SSH_KEY] },
        },
      },
    }
    let refusal = ''
    return this.#fleet
      .until(
        'the node takes the machine',
        async () => {
          const { status, body: answer } = await admin.call('POST /api/servers', { body })
          if (status < 300) return answer
          refusal = JSON.stringify(answer)
          if (!/"(no_capacity|node_unavailable)"/.test(refusal)) throw new Error(refusal)
          return undefined
        },
        BACK_MS,
      )
      .catch((error: Error) => {
        throw new Error(`${refusal}: ${error.message}`)
      })
  }

  async #snapshot(round: Round, upTo: UpTo): Promise<void> {
    const { subject, home } = await this.#at()
    await mark(home, subject, drawn(0, 256))
    const before = await contentsOf(home, subject)
    const { outcome, snapshotId } = await this.#takeSnapshot(round, home, subject)
    round.outcome = outcome
    expect(await contentsOf(home, subject)).toEqual(before)
    const { snapshots } = await this.#vm(subject)
    expect(snapshots.map(({ id, state }) => `${id} ${state}`)).toEqual(
      outcome === 'done' ? [`${snapshotId} ready`] : [],
    )
    if (outcome === 'done')
      expect(await snapshotContents(home, subject, snapshotId)).toEqual(before)
    await this.#whole(home, subject)
    await this.#boot(round, home, subject, upTo)
    if (outcome === 'done') await this.#dropSnapshot(subject, snapshotId)
  }

  async #restore(round: Round, upTo: UpTo): Promise<void> {
    const { subject, home } = await this.#at()
    await mark(home, subject, drawn(0, 128))
    const kept = await contentsOf(home, subject)
    const calm: Round = { ...round, blow: null }
    const { outcome, snapshotId } = await this.#takeSnapshot(calm, home, subject)
    expect(outcome).toBe('done')
    await mark(home, subject, drawn(128, 256))
    const before = await contentsOf(home, subject)
    expect(before).not.toEqual(kept)
    const { jobId } = await this.#fleet.admin.must(
      'POST /api/servers/{id}/vm/snapshots/{snapshot}/restore',
      { params: { id: subject.serverId, snapshot: snapshotId }, body: { confirm: true } },
    )
    round.outcome = await this.#through(round, jobId, home, 'restore')
    expect(await contentsOf(home, subject)).toEqual(round.outcome === 'done' ? kept : before)
    await this.#whole(home, subject)
    await this.#boot(round, home, subject, upTo)
    await this.#dropSnapshot(subject, snapshotId)
  }

  async #move(round: Round, upTo: UpTo): Promise<void> {
    const { admin, nodes } = this.#fleet
    const { subject, home } = await this.#at()
    const target = nodes.find(({ id }) => id !== home.id) as MachineNode
    await mark(home, subject, drawn(0, 256))
    const before = await contentsOf(home, subject)
    const { jobId } = await admin.must('POST /api/servers/{id}/vm/migrate', {
      params: { id: subject.serverId },
      body: { nodeId: target.id, networkId: this.#catalogue.networkId },
    })
    round.outcome = await this.#through(round, jobId, home, 'move')
    const now = await this.#at()
    const moved = round.outcome === 'done'
    expect(now.home.name).toBe((moved ? target : home).name)
    // The source stays complete in either case, until the machine has booted at its target.
    expect(await contentsOf(home, subject)).toEqual(before)
    expect(await contentsOf(now.home, subject)).toEqual(before)
    await this.#whole(now.home, subject)
    await this.#boot(round, now.home, subject, upTo)
    await this.#gone(moved ? home : target, subject)
  }

  async #takeSnapshot(round: Round, home: MachineNode, { serverId }: Subject) {
    const { jobId, snapshotId } = await this.#fleet.admin.must(
      'POST /api/servers/{id}/vm/snapshots',
      { params: { id: serverId }, body: { name: `Before ${randomUUID()}` } },
    )
    return { snapshotId, outcome: await this.#through(round, jobId, home, 'snapshot') }
  }

  async #dropSnapshot(subject: Subject, snapshot: string): Promise<void> {
    const params = { id: subject.serverId, snapshot }
    const { jobId } = await this.#fleet.admin.must(
      'DELETE /api/servers/{id}/vm/snapshots/{snapshot}',
      { params },
    )
    expect(await this.#jobs.ended(jobId)).toBe('done')
  }

  /** Waits for the end of the job, with the fault in the middle of its step. */
  async #through(
    round: Round,
    jobId: string,
    home: MachineNode,
    operation: Blow['operation'],
  ): Promise<string> {
    const { blow } = round
    if (blow && blow.step !== 'Boot') {
      const length = this.#jobs.lengthMs(operation, blow.step)
      const arrived = await this.#jobs.isUnderWay(jobId, blow.step)
      if (arrived) await moment(length)
      let over = false
      const jobEnded = () => {
        over = true
      }
      this.#jobs.ended(jobId).then(jobEnded, jobEnded)
      const hit = await strike(this.#fleet, blow, home, this.#subject, () => over)
      round.struck = arrived && hit
    } else if (!blow) await this.#jobs.learn(jobId, operation)
    return await this.#jobs.ended(jobId)
  }

  async #vm({ serverId }: Subject) {
    return this.#fleet.admin.must('GET /api/servers/{id}/vm', { params: { id: serverId } })
  }

  async #server({ serverId }: Subject) {
    return this.#fleet.admin.must('GET /api/servers/{id}', { params: { id: serverId } })
  }

  /** The machine and its node according to the panel. */
  async #at(): Promise<{ subject: Subject; home: MachineNode }> {
    const subject = this.#subject
    if (!subject) throw new Error('there is no machine')
    const { nodeId } = await this.#server(subject)
    return { subject, home: this.#fleet.node(nodeId) }
  }

  async #whole(home: MachineNode, subject: Subject): Promise<void> {
    expect(await halves(home, subject)).toEqual([])
  }

  async #gone(node: MachineNode, subject: Subject): Promise<void> {
    let left: string[] = []
    await this.#fleet
      .until(
        `nothing of it is left on ${node.name}`,
        async () => {
          left = await leftovers(node, subject)
          return left.length === 0
        },
        GONE_MS,
      )
      .catch((error: Error) => {
        throw new Error(`${left.join(', ')}: ${error.message}`)
      })
  }

  async #boot(round: Round, home: MachineNode, subject: Subject, upTo: UpTo): Promise<void> {
    const { blow } = round
    const struckHere = blow?.step === 'Boot'
    const params = { id: subject.serverId }
    const { jobId } = await this.#fleet.admin.must('POST /api/servers/{id}/actions', {
      params,
      body: { action: 'start' },
    })
    if (struckHere) {
      if (!['QEMU', 'swtpm'].includes(blow.part)) await moment(3_000)
      round.struck = await strike(this.#fleet, blow, home, subject, () => false)
      round.outcome += `; start: ${await this.#jobs.ended(jobId)}`
    }
    await this.#ready(subject, home, struckHere || round.outcome !== 'done' ? 'guest' : upTo)
    await this.#off(subject)
  }

  /** It runs, or its guest serves, on the right node; starts it again if necessary. */
  async #ready(subject: Subject, home: MachineNode, upTo: UpTo): Promise<void> {
    const { admin } = this.#fleet
    const params = { id: subject.serverId }
    let seen = ''
    const isUp = async () => {
      const { status, body: server } = await admin.call('GET /api/servers/{id}', { params })
      seen = `${status} ${server?.status} ${server?.failure?.detail ?? ''}`
      if (status !== 200) return false
      const isDown = ['crashed', 'stopped', 'install_failed'].includes(server.status)
      if (isDown && server.restartAt === null)
        await admin.call('POST /api/servers/{id}/actions', { params, body: { action: 'start' } })
      if (server.status === 'running') {
        // Its end may not have been reported yet.
        if (upTo === 'process') return runsOn(this.#fleet, subject) !== undefined
        const answer = await serves(home, server.port)
        seen += ` ${answer}`
        if (answer.includes('guest run-guest')) return true
      }
      await moment(400)
      return false
    }
    await this.#fleet.until('the machine is up', isUp, BOOT_MS).catch(async (error: Error) => {
      throw new Error(`${seen}\n${(await serialLine(home, subject)).slice(-500)}\n${error.message}`)
    })
    expect(runsOn(this.#fleet, subject)?.name).toBe(home.name)
  }

  async #off(subject: Subject): Promise<void> {
    const { jobId } = await this.#fleet.admin.must('POST /api/servers/{id}/actions', {
      params: { id: subject.serverId },
      body: { action: 'kill', confirm: true },
    })
    expect(await this.#jobs.ended(jobId)).toBe('done')
    await this.#fleet
      .until('it is off', () => processesOf([subject.uuid]).length === 0)
      .catch((error: Error) => {
        throw new Error(`${JSON.stringify(processesOf([subject.uuid]))}: ${error.message}`)
      })
  }

  /** Capacity is allocated only on the machine's node, and no hold is left. */
  async #isTidy(): Promise<void> {
    const { subject, home } = await this.#at()
    const { rows } = await this.#fleet.database.pool.query(
      `select n.name, n.allocated_memory_mb as memory, n.allocated_disk_mb as disk,
              n.allocated_servers as servers, s.memory_mb as "ownMemory", s.disk_mb as "ownDisk",
              (select count(*)::int from server_holds) + (select count(*)::int from vm_moves) +
              (select count(*)::int from vm_snapshots) +
              (select count(*)::int from jobs where ended_at is null) as open
         from nodes n left join servers s on s.node_id = n.id and s.id = $1 order by n.name`,
      [subject.serverId],
    )
    for (const row of rows)
      expect(row).toEqual({
        name: row.name,
        memory: row.ownMemory ?? 0,
        disk: row.ownDisk ?? 0,
        servers: row.name === home.name ? 1 : 0,
        ownMemory: row.ownMemory,
        ownDisk: row.ownDisk,
        open: 0,
      })
  }
}
