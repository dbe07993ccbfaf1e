import { randomUUID } from 'node:crypto'
import { until } from '../../support/until.ts'
import { type Guest, startGuest } from './guest.ts'
import { openStage, type Stage } from './stage.ts'

export interface MachineStage extends Stage {
  /** A running virtual machine with a real guest's screen. */
  readonly machineId: string
  readonly mediumId: string
  /** The guest whose screen every machine shows. */
  readonly guest: Guest
}

/** A stage with a catalogue, a node that accepts machines, and one running machine. */
export async function openMachineStage(
  environment: Record<string, string> = {},
): Promise<MachineStage> {
  await using open = new AsyncDisposableStack()
  const stage = open.use(await openStage(environment))
  const { lodge, admin, agent, node } = stage
  const guest = open.use(await startGuest())
  Object.assign(agent.driver.screen, { open: async () => guest.screen() })
  await admin.must('PATCH /api/nodes/{id}/virtualization', {
    params: { id: node.id },
    body: { enabled: true, emulationAllowed: true },
  })
  await admin.must('POST /api/virtualization/networks', {
    body: {
      name: 'Guests',
      mode: 'nat',
      libvirtName: 'guests',
      subnet: '10.77.0.0/24',
      poolFrom: '10.77.0.10',
      poolTo: '10.77.0.50',
    },
  })
  const mediumId = await medium(stage, 'Debian 13, network installation', 'iso')
  await medium(stage, 'Debian 13, cloud image', 'qcow2')
  const { profiles } = await admin.must('GET /api/virtualization/catalogue')
  const profile = profiles.find(({ name }) => name === 'Linux')
  if (!profile) throw new Error('the built-in profile for Linux is not there')
  const { serverId } = await admin.must('POST /api/servers', {
    body: {
      name: 'Build machine',
      ownerId: stage.customer.id,
      nodeId: node.id,
      memoryMb: 2048,
      diskMb: 20_480,
      templateId: profile.id,
      vm: {
        source: { kind: 'iso', mediumId },
        vcpus: 2,
        extraDisks: [{ sizeMb: 40_960 }],
      },
    },
  })
  await until(
    async () =>
      (await admin.must('GET /api/servers/{id}', { params: { id: serverId } })).status ===
      'running',
  )
  const kept = open.move()
  return {
    ...stage,
    lodge,
    machineId: serverId,
    mediumId,
    guest,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** A medium that has been checked; downloads are tested elsewhere. */
async function medium(stage: Stage, name: string, kind: 'iso' | 'qcow2'): Promise<string> {
  const id = randomUUID()
  await stage.lodge.database.pool.query(
    `insert into vm_media (id, name, kind, url, sha256, size_bytes, virtual_size_mb, state)
     values ($1, $2, $3, 'https://cdimage.debian.org/image', $4, 704643072, $5, 'ready')`,
    [id, name, kind, id.replaceAll('-', '').repeat(2), kind === 'iso' ? null : 3072],
  )
  return id
}
