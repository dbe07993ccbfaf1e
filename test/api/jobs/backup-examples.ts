import { snapshotOf } from '@lodge/driver-fake/backup-store.ts'
import { backedUp, backUp, container, deleted, type Example } from './example-things.ts'

/** A file of a backup that replaces the present one. */
const filesBack = (keepReplaced: boolean): Example => ({
  final: ['Restore the files'],
  async prepare(world) {
    const { id, names, backupId } = await backedUp(world)
    return {
      id,
      names,
      async begin() {
        const { jobId, keptIn } = await world.owner.must(
          'POST /api/servers/{id}/backups/{backupId}/restore-files',
          {
            params: { id, backupId },
            body: { paths: ['/contents'], confirm: true, keepReplaced },
          },
        )
        if (keptIn !== null) names.set(keptIn, '/KEPT')
        return jobId
      },
    }
  },
})

/** The sagas of backups. */
export const BACKUP_EXAMPLES: Readonly<Record<string, Example>> = {
  'backup.create': {
    async prepare(world) {
      const { id, names } = await container(world)
      return {
        id,
        names,
        async begin() {
          const { jobId } = await backUp(world, id, names)
          return jobId
        },
      }
    },
    // A failed backup stays visible.
    leaves: (part) => part.filter((line) => !line.startsWith('server_backups.')),
  },
  'backup.restore': {
    async prepare(world) {
      const { id, names, backupId } = await backedUp(world)
      return {
        id,
        names,
        async begin() {
          const { jobId } = await world.owner.must('POST /api/servers/{id}/actions', {
            params: { id },
            body: { action: 'restore', backupId, confirm: true },
          })
          const { rows } = await world.lodge.database.pool.query<{ id: string }>(
            'select restore_id as id from server_restores where server_id = $1',
            [id],
          )
          for (const row of rows) names.set(row.id, 'RESTORE')
          return jobId
        },
      }
    },
  },
  'backup.restore-secured': {
    async prepare(world) {
      const { id, names, backupId } = await backedUp(world)
      return {
        id,
        names,
        async begin() {
          const { jobId } = await world.owner.must('POST /api/servers/{id}/actions', {
            params: { id },
            body: { action: 'restore', backupId, confirm: true, backUpFirst: true },
          })
          const { rows } = await world.lodge.database.pool.query<{ id: string; backup: string }>(
            `select restore_id as id, b.id as backup
             from server_restores r join server_backups b on b.server_id = r.server_id
             where r.server_id = $1 and b.id <> $2`,
            [id, backupId],
          )
          for (const row of rows) {
            names.set(row.id, 'RESTORE').set(row.backup, 'SECURITY')
            names.set(snapshotOf(row.backup), 'SNAPSHOT OF SECURITY')
          }
          return jobId
        },
      }
    },
    // What was backed up first stays, complete or failed.
    keeps: ['SECURITY', 'SNAPSHOT OF SECURITY'],
  },
  'backup.restore-files': filesBack(false),
  'backup.restore-files-keeping': filesBack(true),
  'backup.verify': {
    async prepare(world) {
      const { id, names, backupId } = await backedUp(world)
      return {
        id,
        names,
        async begin() {
          const { jobId } = await world.owner.must(
            'POST /api/servers/{id}/backups/{backupId}/verify',
            { params: { id, backupId } },
          )
          return jobId
        },
      }
    },
    final: ['Verify the backup'],
  },
  'backup.delete': deleted(backedUp, (owner, { id, backupId }) =>
    owner.must('DELETE /api/servers/{id}/backups/{backupId}', { params: { id, backupId } }),
  ),
}
