import { RestoredFiles } from '@lodge/shared/backup-work.ts'
import { z } from 'zod'
import { type StepTools, saga } from '../../jobs/sagas/saga.ts'
import { backupOnNode, resultOf } from './work.ts'

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
/** What is replaced is moved to the folder `keep`. */
const Keeping = About.extend({ keep: z.string() })

/** Restores paths beside the server's files, verifies them and moves them into place. */
export const restoreFilesSaga = saga('backup.restore-files', About).step('Restore the files', {
  async do(about, tools) {
    await restore(about, tools)
  },
})

/**
 * The same without losing what it replaces. It has a job kind of its own, so that no control plane of
 * an earlier version picks it up and replaces files for good.
 */
export const restoreFilesKeepingSaga = saga('backup.restore-files-keeping', Keeping).step(
  'Restore the files',
  {
    async do(about, tools) {
      const { kept } = resultOf(RestoredFiles, await restore(about, tools))
      await tools.progress(
        100,
        kept === 0
          ? 'No file had to be replaced'
          : kept === 1
            ? `The replaced file was moved to ${about.keep}`
            : `${kept} replaced files were moved to ${about.keep}`,
      )
    },
  },
)

async function restore(
  { serverId, nodeId, repositoryId, ...work }: z.infer<typeof About>,
  tools: StepTools,
): Promise<string> {
  const { document } = await backupOnNode(tools, {
    ...{ serverId, nodeId, repositoryId },
    name: 'restore-files',
    work: { do: 'restore-files', ...work },
  })
  return document
}
