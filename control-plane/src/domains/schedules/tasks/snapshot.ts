import { createSnapshot, deleteSnapshot } from '../../vms/index.ts'
import { freeName, insertScheduleSnapshot, snapshotsBeyond } from '../snapshot-store.ts'
import { taskKind } from './task-kind.ts'

const timeOf = (at: Date): string => at.toISOString().slice(0, 16).replace('T', ' ')

/** Takes a snapshot of a stopped machine, and deletes the oldest ones that this schedule made. */
export const snapshot = taskKind({
  action: 'snapshot',
  may: () => ['vm.snapshots'],
  unavailable: ({ kind }) =>
    kind === 'vm' ? undefined : 'Snapshots are made of virtual machines only',
  async run({ name, keep }, { ctx, server, schedule, startedAt, once, finished }) {
    const made = await once('create', async (ctx) => {
      const wanted = `${name ?? schedule.name.slice(0, 40)} ${timeOf(startedAt)}`
      const named = { name: await freeName(ctx.db, server.id, wanted) }
      const { jobId, snapshotId } = await createSnapshot(ctx, server, named)
      await insertScheduleSnapshot(ctx.db, schedule.id, snapshotId)
      return { id: jobId, generation: null, snapshotId }
    })
    await finished(made)
    if (keep === undefined) return
    for (const old of await snapshotsBeyond(ctx.db, schedule.id, keep)) {
      const gone = await once(`delete ${old}`, async (ctx) => {
        const { jobId } = await deleteSnapshot(ctx, server, old)
        return { id: jobId, generation: null }
      })
      await finished(gone)
    }
  },
})
