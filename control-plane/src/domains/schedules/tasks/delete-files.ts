import { deleteByJob, deletedBy } from '../../files/index.ts'
import { noFiles, taskKind } from './task-kind.ts'

/** Deletes files and folders, all or none; a missing one is reported as a note. */
export const deleteFiles = taskKind({
  action: 'deleteFiles',
  may: () => ['files.delete'],
  unavailable: noFiles,
  async run({ paths }, { ctx, server, once, finished }) {
    const begun = await once('delete', async (ctx) => {
      const { jobId } = await deleteByJob(ctx, server, { paths })
      return { id: jobId, generation: null }
    })
    await finished(begun)
    return (await deletedBy(ctx.db, begun.id))?.note ?? undefined
  },
})
