import type { Violation } from '@lodge/shared/limits/check.ts'
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
      // At a limit, the oldest backup of a schedule is deleted, if that makes enough room.
      if (!(await makeRoom(run, error))) throw error
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

/** @returns whether a backup was deleted */
async function makeRoom(run: TaskRun, refusal: Problem): Promise<boolean> {
  const { id } = await run.once('make room', async (ctx) => {
    const oldest = await oldestScheduled(ctx.db, run.server.id)
    return { id: oldest && fitsWithout(oldest, refusal) ? oldest.id : null }
  })
  if (id !== null) await remove(run, id)
  return id !== null
}

/** Whether the new backup fits once this one is deleted: a lowered limit must not cost every backup. */
const fitsWithout = ({ reservedMb }: { reservedMb: number }, { fields }: Problem): boolean =>
  (fields.violations as readonly Violation[]).every(
    ({ key, value = 0, used = 0, requested = 0 }) =>
      used - (key === 'maxBackupStorageMb' ? reservedMb : 1) + requested <= value,
  )

async function remove({ server, once, finished }: TaskRun, backupId: string): Promise<void> {
  const gone = await once(`delete ${backupId}`, async (ctx) => {
    const { jobId } = await deleteBackup(ctx, server, backupId)
    return { id: jobId, generation: null }
  })
  await finished(gone)
}
