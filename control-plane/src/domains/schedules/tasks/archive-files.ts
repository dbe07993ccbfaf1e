import { createHash } from 'node:crypto'
import path from 'node:path/posix'
import { archive, archivedBy, deleteByJob } from '../../files/index.ts'
import { archivesBeyond, deleteScheduleArchives, insertScheduleArchive } from '../archive-store.ts'
import { noFiles, type TaskOf, type TaskRun, taskKind } from './task-kind.ts'

/** A file name has at most 255 bytes, and the time and the extension have to fit in. */
const MOST_NAME_BYTES = 200

/** Writes files and folders into a new archive, and deletes the oldest ones that this task made. */
export const archiveFiles = taskKind({
  action: 'archiveFiles',
  may: ({ keep }) => ['files.write', ...(keep === undefined ? [] : (['files.delete'] as const))],
  unavailable: noFiles,
  async run(task, run) {
    const { ctx, server, schedule, startedAt, once, finished } = run
    const { paths, format, keep } = task
    const to = path.join(task.to, `${baseOf(task)}-${timeOf(startedAt)}.${format}`)
    const series = seriesOf(task)
    const begun = await once('archive', async (ctx) => {
      const given = { paths, to, format, replace: false, skipMissing: true as const }
      const { jobId } = await archive(ctx, server, given)
      return { id: jobId, generation: null }
    })
    await finished(begun)
    const { bytes = 0, note = null } = (await archivedBy(ctx.db, begun.id)) ?? {}
    // None of the files existed.
    if (bytes === 0) return note ?? undefined
    await once('note', async (ctx) => {
      await insertScheduleArchive(ctx.db, { scheduleId: schedule.id, series, path: to })
      return {}
    })
    if (keep !== undefined) await rotate(run, series, keep)
    return note === null ? to : `Written to ${to}. ${note}`
  },
})

/** Deletes archives of the series beyond the newest; never one that this schedule did not make. */
async function rotate(run: TaskRun, series: string, keep: number): Promise<void> {
  const { server, schedule, once, finished } = run
  const old = await once('delete old ones', async (ctx) => {
    const paths = await archivesBeyond(ctx.db, { scheduleId: schedule.id, series }, keep)
    if (paths.length === 0) return { paths, id: null }
    const { jobId } = await deleteByJob(ctx, server, { paths })
    return { paths, id: jobId, generation: null }
  })
  if (old.id === null) return
  await finished({ id: old.id, generation: null })
  await once('forget old ones', async (ctx) => {
    await deleteScheduleArchives(ctx.db, schedule.id, old.paths)
    return {}
  })
}

/** The same for every archive of a task, wherever the task is in its schedule. */
const seriesOf = ({ paths, to }: TaskOf<'archiveFiles'>): string =>
  createHash('sha256')
    .update(JSON.stringify([to, ...paths.toSorted()]))
    .digest('hex')

/** For example `world`. */
function baseOf({ paths }: TaskOf<'archiveFiles'>): string {
  const [first = '/', ...others] = paths
  const own = others.length === 0 ? path.basename(first) : ''
  return own === '' || Buffer.byteLength(own) > MOST_NAME_BYTES ? 'files' : own
}

/** For example `2027-03-28-043000`, in UTC. */
const timeOf = (at: Date): string =>
  at.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')
