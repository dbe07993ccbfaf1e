import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { until } from '../../../support/until.ts'
import { jobEnd } from '../../../support/vm-world.ts'
import type { Admission, SetUp, SetUps } from './set-up.ts'

/** A container server of the owner on a node that makes backups. */
async function container({ ground, who }: Admission): Promise<string> {
  const { lodge, places } = ground
  const admin = await lodge.admin()
  const { id: templateId } = await lodge.template()
  const { serverId, jobId } = await admin.must('POST /api/servers', {
    body: { name: 'One', ownerId: who.owner, templateId, nodeId: places.here.id, start: false },
  })
  await jobEnd(admin, jobId, 'done')
  return serverId
}

/** The request is about a complete backup of a server, with this body. */
const ofBackup =
  (body?: (id: string, admission: Admission) => Promise<unknown>): SetUp =>
  async (admission) => {
    const id = await container(admission)
    const admin = await admission.ground.lodge.admin()
    const made = await admin.must('POST /api/servers/{id}/backups', { params: { id }, body: {} })
    await jobEnd(admin, made.jobId, 'done')
    return {
      params: { ...admission.params, id, backupId: made.backupId },
      body: await body?.(id, admission),
    }
  }

/** Backups of the panel go into a folder of their own, and none is under way. */
async function panelBackups({ ground: { lodge } }: Admission) {
  const folder = path.join(lodge.dataFolder, 'backups-of-the-panel')
  await mkdir(folder, { recursive: true })
  const body = { schedule: null, place: 'folder', folder, keep: 1, media: false, s3: null } as const
  const admin = await lodge.session((await lodge.admin()).id)
  await admin.must('PUT /api/settings/panel-backups', { body })
  await until(async () => {
    const { items } = await admin.must('GET /api/panel-backups')
    return items.every(({ state }) => state !== 'running') || undefined
  })
  return body
}

/**
 * Only a server whose backup must be left behind without confirmation, so that none of the others
 * moves.
 */
const evacuated: SetUp = async (admission) => {
  const { lodge, places } = admission.ground
  const params = { id: places.here.id }
  const { params: backup } = await ofBackup()(admission)
  return {
    params,
    body: { serverIds: [backup?.id] },
    async after() {
      const admin = await lodge.admin()
      await until(async () => {
        const { latest } = await admin.must('GET /api/nodes/{id}/evacuation', { params })
        return latest?.endedAt !== null
      })
      await admin.must('POST /api/nodes/{id}/uncordon', { params })
    },
  }
}

export const backupSetUps: SetUps = {
  'POST /api/nodes/{id}/evacuate': evacuated,
  'POST /api/servers/{id}/migrate': async (admission) => ({
    params: { id: await container(admission) },
    body: { nodeId: admission.ground.places.there.id },
  }),
  'POST /api/panel-backups': async (admission) => {
    await panelBackups(admission)
    return {}
  },
  'PUT /api/settings/panel-backups': async (admission) => ({ body: await panelBackups(admission) }),
  'POST /api/servers/{id}/backups': async (admission) => ({
    params: { id: await container(admission) },
    body: {},
  }),
  'PATCH /api/servers/{id}/backups/{backupId}': ofBackup(async () => ({ locked: true })),
  'DELETE /api/servers/{id}/backups/{backupId}': ofBackup(),
  'GET /api/servers/{id}/backups/{backupId}/files': ofBackup(),
  'GET /api/servers/{id}/backups/{backupId}/download': ofBackup(),
  'POST /api/servers/{id}/backups/{backupId}/verify': ofBackup(),
  'POST /api/servers/{id}/backups/{backupId}/restore-files': ofBackup(async () => ({
    paths: ['/contents'],
    confirm: true,
  })),
  'POST /api/servers/{id}/backups/{backupId}/restore': ofBackup(async (id) => ({
    serverId: id,
    confirm: true,
  })),
}
