import { jobEnd, makeVm, readyMedium } from '../../../support/vm-world.ts'
import type { Admission, Prepared, SetUp, SetUps } from './set-up.ts'

/** A machine of the owner, which is off unless it is started. */
async function machine(
  { ground, who, params }: Admission,
  given: { start?: boolean } = {},
): Promise<{ readonly id: string }> {
  const { lodge, places, networkId } = ground
  const { id } = await makeVm(lodge, who.owner, { nodeId: places.here.id, networkId, ...given })
  return { ...params, id }
}

/** The request is about a machine, with this body. */
const ofMachine =
  (body?: (admission: Admission) => Promise<unknown>, given = {}): SetUp =>
  async (admission): Promise<Prepared> => ({
    params: await machine(admission, given),
    body: await body?.(admission),
  })

/** The request is about a complete snapshot of a machine. */
async function snapshot(admission: Admission): Promise<{ readonly snapshot: string }> {
  const admin = await admission.ground.lodge.admin()
  const params = await machine(admission)
  const body = { name: 'Before' }
  const made = await admin.must('POST /api/servers/{id}/vm/snapshots', { params, body })
  await jobEnd(admin, made.jobId, 'done')
  return { ...params, snapshot: made.snapshotId }
}

/** Virtual machines: the agents and the engine are real, except that guests are map entries. */
export const machineSetUps: SetUps = {
  'GET /api/servers/{id}/vm': ofMachine(),
  'GET /api/servers/{id}/vm/migration-targets': ofMachine(),
  'POST /api/servers/{id}/vm/console-ticket': ofMachine(async () => ({ kind: 'vnc' }), {
    start: true,
  }),
  'POST /api/servers/{id}/vm/disks': ofMachine(async () => ({ disks: [{ sizeMb: 1 }] })),
  'POST /api/servers/{id}/vm/installation': ofMachine(async ({ ground }) => ({
    mediumId: await readyMedium(ground.lodge, 'iso'),
  })),
  'POST /api/servers/{id}/vm/migrate': ofMachine(async ({ ground }) => ({
    nodeId: ground.places.there.id,
    networkId: ground.networkId,
  })),
  'POST /api/servers/{id}/vm/network': ofMachine(async () => ({ rules: [] })),
  'POST /api/servers/{id}/vm/resources': ofMachine(async () => ({ vcpus: 1, memoryMb: 256 })),
  'POST /api/servers/{id}/vm/snapshots': ofMachine(async () => ({ name: 'Before' })),
  'DELETE /api/servers/{id}/vm/snapshots/{snapshot}': async (admission) => ({
    params: await snapshot(admission),
  }),
  'POST /api/servers/{id}/vm/snapshots/{snapshot}/restore': async (admission) => ({
    params: await snapshot(admission),
    body: { confirm: true },
  }),
  'DELETE /api/virtualization/media/{id}': async ({ ground }) => ({
    params: { id: await readyMedium(ground.lodge, 'iso') },
  }),
  'GET /api/virtualization/media/{id}/content': async (admission) => ({
    params: await arriving(admission),
  }),
  'PATCH /api/virtualization/media/{id}/content': async (admission) => ({
    params: await arriving(admission),
    headers: {
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    payload: Buffer.alloc(64),
  }),
}

/** A medium that has received nothing yet. */
async function arriving({ ground }: Admission): Promise<{ readonly id: string }> {
  const admin = await ground.lodge.admin()
  const body = { name: crypto.randomUUID(), kind: 'iso' as const, sizeBytes: 40_960 }
  const { id } = await admin.must('POST /api/virtualization/media/uploads', { body })
  return { id }
}
