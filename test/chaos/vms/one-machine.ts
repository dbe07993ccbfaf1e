import { HardwareProfile } from '@lodge/shared/machine-profile.ts'
import { UEFI_PROFILE } from '../../../drivers/libvirt/src/testing/fixture.ts'
import { type MachineFleet, makeCatalogue } from '../../real/support/machine-fleet.ts'
import type { Subject } from './machine-contents.ts'
import { SSH_KEY } from './machine-rounds.ts'
import { processesOf } from './machine-watch.ts'

export const JOB_MS = 240_000
/** The time until a silent node counts as offline, including delays of a busy test machine. */
export const SILENT_MS = 60_000

/** The machine of a test in which nodes are lost: with UEFI and a TPM. */
export class OneMachine {
  readonly #fleet: MachineFleet
  readonly subject: Subject

  private constructor(fleet: MachineFleet, subject: Subject) {
    this.#fleet = fleet
    this.subject = subject
  }

  /** Creates it on the first node, off. @param more additional fields of the request */
  static async make(
    fleet: MachineFleet,
    more: { readonly storageId?: string } = {},
  ): Promise<OneMachine> {
    const { admin, adminId, nodes } = fleet
    const hardware = HardwareProfile.parse(UEFI_PROFILE)
    const { profileId, networkId, imageId } = await makeCatalogue(fleet, hardware)
    const seed = { hostname: 'run-guest', sshKeys: [SSH_KEY] }
    const { serverId, jobId } = await admin.must('POST /api/servers', {
      body: {
        ...{ name: 'Desktop', ownerId: adminId, nodeId: nodes[0].id, templateId: profileId },
        ...{ memoryMb: 256, diskMb: 32, start: false, ...more },
        vm: { networkId, vcpus: 1, source: { kind: 'image', mediumId: imageId, seed } },
      },
    })
    await jobDone(fleet, jobId)
    const { uuid, network } = await admin.must('GET /api/servers/{id}/vm', {
      params: { id: serverId },
    })
    const subject = { serverId, uuid, mac: network.mac, address: network.address }
    const machine = new OneMachine(fleet, subject)
    // Its TPM has state from its first start on.
    await machine.act('start')
    await machine.off()
    return machine
  }

  show = () =>
    this.#fleet.admin.must('GET /api/servers/{id}', { params: { id: this.subject.serverId } })

  /** Its processes on all nodes. */
  qemus = () => processesOf([this.subject.uuid]).filter(({ program }) => program === 'qemu-system')

  done = (jobId: string): Promise<void> => jobDone(this.#fleet, jobId)

  async act(action: 'start' | 'kill' | 'backup'): Promise<void> {
    const { jobId } = await this.#fleet.admin.must('POST /api/servers/{id}/actions', {
      params: { id: this.subject.serverId },
      body: { action, ...(action === 'kill' && { confirm: true }) },
    })
    await this.done(jobId)
  }

  async off(): Promise<void> {
    await this.act('kill')
    await this.#fleet.until('it is off', () => this.qemus().length === 0, SILENT_MS)
  }

  /** Waits until the copy on a node that was declared dead is stopped, for as long as that may take. */
  stoppedOn = (nodeId: string, withinMs: number): Promise<unknown> =>
    this.#fleet.until(
      'its former copy is stopped',
      async () => {
        const { copies } = await this.#fleet.admin.must('GET /api/failover/status')
        const copy = copies.find((one) => one.nodeId === nodeId)
        return copy && copy.stoppedAt !== null
      },
      withinMs,
    )
}

async function jobDone(fleet: MachineFleet, jobId: string): Promise<void> {
  const job = await fleet.until(
    'the job ends',
    async () => {
      const found = await fleet.admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
      return found.endedAt === null ? undefined : found
    },
    JOB_MS,
  )
  if (job.state !== 'done')
    throw new Error(`${job.title}: ${job.state} ${job.failure?.detail}\n${fleet.words()}`)
}
