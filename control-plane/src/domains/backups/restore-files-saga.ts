import { z } from 'zod'
import { saga } from '../../jobs/sagas/saga.ts'
import { backupOnNode } from './work.ts'

const About = z.object({
  serverId: z.uuid(),
  nodeId: z.uuid(),
  repositoryId: z.uuid(),
  snapshotId: z.string(),
  restoreId: z.uuid(),
  paths: z.array(z.string()),
  into: z.string().nullable(),
  sizeBytes: z.number(),
})

/** Restores paths beside the server's files, verifies them and moves them into place. */
export const restoreFilesSaga = saga('backup.restore-files', About).step('Restore the files', {
  async do(about, tools) {
    const { serverId, nodeId, repositoryId, ...work } = about
    await backupOnNode(tools, {
      serverId,
      nodeId,
      repositoryId,
      name: 'restore-files',
      work: { do: 'restore-files', ...work },
    })
  },
})
