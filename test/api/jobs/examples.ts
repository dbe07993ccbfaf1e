import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { contextFor } from '../../../control-plane/src/context.ts'
import { deleteByJob } from '../../../control-plane/src/domains/files/index.ts'
import { findAuthor } from '../../../control-plane/src/domains/schedules/author.ts'
import { loadServer } from '../../../control-plane/src/domains/servers/index.ts'
import { until } from '../../support/until.ts'
import { isoImage, jobEnd, sha256 } from '../../support/vm-world.ts'
import { BACKUP_EXAMPLES } from './backup-examples.ts'
import {
  anyServer,
  backedUp,
  clonedContainer,
  clonedMachine,
  container,
  deleted,
  type Example,
  lost,
  machine,
  ofAgents,
  ofFile,
  snapshot,
  take,
  writeSample,
} from './example-things.ts'
import { MOVE_EXAMPLES, placeLeft, storageChange } from './move-examples.ts'

/** An example of every saga; the grid fails for a saga without one. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  'files.archive': ofFile((owner, params) =>
    owner.must('POST /api/servers/{id}/files/archive', {
      ...params,
      body: { paths: ['/sample'], to: `/${randomUUID()}.zip`, format: 'zip', replace: true },
    }),
  ),
  'files.copy': ofFile(async (owner, params) => {
    const copied = await owner.must('POST /api/servers/{id}/files/copy', {
      ...params,
      body: {
        copies: ['/one', '/two'].map((to) => ({ from: '/sample', to })),
        replace: true,
      },
    })
    return 'jobId' in copied ? copied : { jobId: '' }
  }),
  // Only schedules delete by a job.
  'files.delete': ofFile(async (owner, { params: { id } }, { lodge }) => {
    await writeSample(owner, id)
    const { services } = lodge.controlPlane
    const author = await findAuthor(services.db, owner.id)
    const ctx = author && contextFor(services, author)
    const server = ctx && (await loadServer(ctx, id))
    if (!server) throw new Error('The owner or the server is gone')
    return deleteByJob(ctx, server, { paths: ['/sample'] })
  }),
  'files.extract': ofFile(async (owner, params) => {
    const { jobId } = await owner.must('POST /api/servers/{id}/files/archive', {
      ...params,
      body: { paths: ['/sample'], to: '/sample.zip', format: 'zip', replace: true },
    })
    await jobEnd(owner, jobId, 'done')
    return owner.must('POST /api/servers/{id}/files/extract', {
      ...params,
      body: { path: '/sample.zip', to: '/extracted', replace: true },
    })
  }),
  'files.pull': ofFile((owner, params, { files: { url, files } }) => {
    files.set('/pulled', Buffer.from('pulled'))
    return owner.must('POST /api/servers/{id}/files/pull', {
      ...params,
      body: { url: url('/pulled'), to: '/pulled', replace: true },
    })
  }),
  'node.images.free': {
    alone: true,
    async prepare({ admin, here }) {
      return {
        id: here.nodeId,
        names: new Map(),
        begin: async () => {
          const params = { id: here.nodeId }
          const { jobId } = await admin.must('POST /api/nodes/{id}/images/free', { params })
          return jobId
        },
      }
    },
  },
  'node.agent.update': ofAgents(async ({ admin, here }) =>
    admin.must('POST /api/nodes/{id}/agent-update', { params: { id: here.nodeId } }),
  ),
  'nodes.agent.update': ofAgents(async ({ admin, here, there }) => {
    const nodeIds = [here.nodeId, there.nodeId]
    return admin.must('POST /api/nodes/agent-update', { body: { nodeIds } })
  }),
  'panel.backup': {
    // The panel is backed up once at a time, to the place of the settings.
    alone: true,
    async prepare({ admin, folder: parent }) {
      const folder = `${parent}/${randomUUID()}`
      const names = new Map([[folder, 'FOLDER']])
      return {
        id: folder,
        names,
        async begin() {
          await mkdir(folder)
          const body = { schedule: null, place: 'folder', folder, keep: 9, media: false } as const
          await admin.must('PUT /api/settings/panel-backups', { body: { ...body, s3: null } })
          const { jobId, backupId } = await admin.must('POST /api/panel-backups')
          names.set(backupId, 'BACKUP').set(jobId, 'JOB')
          return jobId
        },
      }
    },
    // A failed backup stays visible, and the settings stay.
    leaves: (part) => part.filter((line) => !/^(panel_backups|settings)\./.test(line)),
  },
  'schedule.run': {
    // Notifications are not undone.
    final: ['Run the tasks'],
    async prepare(world) {
      const id = await anyServer(world)
      const names = new Map<string, string>()
      const schedule = await world.owner.must('POST /api/servers/{id}/schedules', {
        params: { id },
        body: {
          cron: '0 0 1 1 *',
          tasks: [
            { action: 'wait', seconds: 1 },
            { action: 'notify', message: 'It is time' },
          ],
        },
      })
      names.set(schedule.id, 'SCHEDULE')
      return {
        id: schedule.id,
        names,
        async begin() {
          const { jobId } = await world.owner.must(
            'POST /api/servers/{id}/schedules/{scheduleId}/run',
            { params: { id, scheduleId: schedule.id } },
          )
          return jobId
        },
      }
    },
  },
  'vm.medium.check': {
    async prepare({ admin, files }) {
      const name = `medium-${randomUUID()}`
      const path = `/${name}.iso`
      const content = isoImage(name)
      files.files.set(path, content)
      files.files.set(`${path}.sums`, Buffer.from(`${sha256(content)}  ${path.slice(1)}\n`))
      const url = files.url(path)
      const names = new Map([
        [sha256(content), 'FINGERPRINT'],
        [url, 'URL'],
        [name, 'NAME'],
      ])
      return {
        id: name,
        names,
        async begin() {
          const { medium, jobId } = await admin.must('POST /api/virtualization/media', {
            body: { name, kind: 'iso', url, checksumUrl: `${url}.sums` },
          })
          names.set(medium.id, 'MEDIUM').set(jobId, 'JOB')
          return jobId
        },
      }
    },
    // It records why it cannot be used.
    leaves: (part) => (part.includes('vm_media.state {"state":"failed"}') ? [] : part),
  },
  'vm.snapshot.create': {
    async prepare(world) {
      const names = await machine(world)
      return {
        id: names.id,
        names,
        async begin() {
          const made = await take(world, names.id)
          names.set(made.snapshotId, 'SNAPSHOT')
          return made.jobId
        },
      }
    },
  },
  'vm.snapshot.restore': {
    async prepare(world, returns) {
      const { names, id, snapshotId } = await snapshot(world)
      // A restored snapshot stays when the job fails after it: there is no older state to go back
      // to.
      if (!returns) world.here.driver.runtime.machines.get(id)?.parts.set('system', 'changed')
      return {
        id,
        names,
        async begin() {
          const { jobId } = await world.owner.must(
            'POST /api/servers/{id}/vm/snapshots/{snapshot}/restore',
            { params: { id, snapshot: snapshotId }, body: { confirm: true } },
          )
          return jobId
        },
      }
    },
  },
  'vm.snapshot.delete': deleted(snapshot, (owner, { id, snapshotId }) =>
    owner.must('DELETE /api/servers/{id}/vm/snapshots/{snapshot}', {
      params: { id, snapshot: snapshotId },
    }),
  ),
  ...BACKUP_EXAMPLES,
  'server.clone': clonedContainer,
  'node.evacuate': {
    // One at a time of each node. Its server stays, so that only its own records are compared.
    alone: true,
    async prepare(world) {
      const { id, names } = await backedUp(world)
      const params = { id: world.here.nodeId }
      return {
        id,
        names,
        async begin() {
          const { jobId } = await world.admin.must('POST /api/nodes/{id}/evacuate', {
            params,
            body: { serverIds: [id] },
          })
          return jobId
        },
        async settled() {
          await world.admin.must('POST /api/nodes/{id}/uncordon', { params })
        },
      }
    },
    // Results stay visible.
    leaves: (part) => part.filter((line) => !line.startsWith('evacuation')),
  },
  'server.migrate': {
    async prepare(world) {
      const { id, names } = await container(world)
      return {
        id,
        names,
        async begin() {
          const { jobId } = await world.owner.must('POST /api/servers/{id}/migrate', {
            params: { id },
            body: { nodeId: world.there.nodeId },
          })
          return jobId
        },
        settled: () => placeLeft(world, id),
      }
    },
  },
  'server.storage': storageChange,
  'server.failover': {
    alone: true,
    final: ['Start in the new place'],
    async prepare(world) {
      const { id, names, run, settled } = await lost(world)
      return {
        id,
        names,
        async begin() {
          await run()
          const { rows } = await until(async () => {
            const begun = await world.lodge.database.pool.query<{ id: string }>(
              `select id from jobs where kind = 'server.failover' and server_id = $1`,
              [id],
            )
            return begun.rows.length > 0 && begun
          })
          return rows[0]?.id ?? ''
        },
        settled,
      }
    },
  },
  'failover.run': {
    alone: true,
    final: ['Bring back the servers'],
    async prepare(world) {
      const { name: id, names, run, settled } = await lost(world)
      return { id, names, begin: run, settled }
    },
  },
  'vm.migrate': {
    async prepare(world) {
      const names = await machine(world)
      const { id } = names
      return {
        id,
        names,
        async begin() {
          const { jobId } = await world.owner.must('POST /api/servers/{id}/vm/migrate', {
            params: { id },
            body: { nodeId: world.there.nodeId, networkId: world.networkId },
          })
          return jobId
        },
      }
    },
  },
}

/** Further examples of a saga, by its name: what it does differs by the kind of server. */
export const OTHER_EXAMPLES: readonly (readonly [title: string, saga: string, Example])[] = [
  ['server.clone of a machine', 'server.clone', clonedMachine],
  ...MOVE_EXAMPLES,
]
