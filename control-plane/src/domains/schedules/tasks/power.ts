import { alreadySo } from '@lodge/shared/schedule-tasks.ts'
import { ACTION_RIGHTS } from '@lodge/shared/server-permission-list.ts'
import { findJob } from '../../../jobs/board/store.ts'
import { act, statusOf } from '../../servers/index.ts'
import { taskKind } from './task-kind.ts'

/** Starts, stops, restarts or kills the server, and waits until that has happened. */
export const power = taskKind({
  action: 'power',
  may: (task) => [ACTION_RIGHTS[task.power]],
  async run(task, { server, once, finished }) {
    const begun = await once('act', async (ctx) => {
      const already = alreadySo(task.power, statusOf(server))
      if (already !== undefined) return { already }
      const { jobId } = await act(ctx, server, task.power, {})
      return { id: jobId, generation: (await findJob(ctx.db, jobId))?.generation ?? null }
    })
    if ('already' in begun) return begun.already
    await finished(begun)
    return
  },
})
