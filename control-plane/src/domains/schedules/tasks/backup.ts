import { Problem } from '../../../problem.ts'
import { createBackup, deleteBackup } from '../../backups/index.ts'
import { backupsBeyond, insertScheduleBackup, oldestScheduled } from '../backup-store.ts'
import { type TaskOf, type TaskRun, taskKind } from './task-kind.ts'

/** Backs up a server, and deletes the oldest backups that this schedule made. */
export const backup = taskKind({
  action: 'backup',
  may: () => ['backups.create'],
  async run(task, run) {
    try {
      await create(task, run)
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'limit_exceeded') throw error
      // At a limit, the oldest backup of a schedule is deleted.
      if (!(await makeRoom(run))) throw error
      await create(task, run)
    }
    if (task.keep === undefined) return
    const { ctx, schedule } = run
    for (const old of await backupsBeyond(ctx.db, schedule.id, task.keep)) await remove(run, old)
  },
})

async function create({ name, keep }: TaskOf<'backup'>, run: TaskRun): Promise<void> {
  const { server, schedule, once, finished } = run
  const made = await once('create', async (ctx) => {
    const given = { name, scheduled: true, keptBySchedule: keep !== undefined }
    const { jobId, backupId } = await createBackup(ctx, server, given)
    await insertScheduleBackup(ctx.db, schedule.id, backupId)
    return { id: jobId, generation: null }
  })
  await finished(made)
}

/** @returns whether there was anything to delete */
async function makeRoom(run: TaskRun): Promise<boolean> {
  const { id } = await run.once('make room', async (ctx) => ({
    id: (await oldestScheduled(ctx.db, run.server.id)) ?? null,
  }))
  if (id !== null) await remove(run, id)
  return id !== null
}

async function remove({ server, once, finished }: TaskRun, backupId: string): Promise<void> {
  const gone = await once(`delete ${backupId}`, async (ctx) => {
    const { jobId } = await deleteBackup(ctx, server, backupId)
    return { id: jobId, generation: null }
  })
  await finished(gone)
}
