import { closedResult } from '@lodge/shared/schedule-tasks.ts'
import type { System } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { findServer } from '../../servers/index.ts'
import type { Run } from './run-input.ts'
import { findRun, updateRun } from './run-store.ts'

interface End {
  readonly state: 'done' | 'failed' | 'cancelled'
  readonly detail: string | null
}

/**
 * Ends a run once; tasks that have not been done are shown as skipped. People are notified of a
 * failure.
 */
export async function endRun(ctx: Ctx<System>, run: Run, { state, detail }: End): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const found = await findRun(ctx.db, run.runId)
    if (!found || found.endedAt !== null) return
    const results = found.results.map((one) => closedResult(one, ctx.now))
    const change = { state, detail, endedAt: ctx.now, results }
    if (!(await updateRun(ctx.db, run.runId, change))) return
    await ctx.live.announce(ctx.db, { kind: 'schedules', id: run.serverId })
    const server = state === 'failed' ? await findServer(ctx.db, run.serverId) : undefined
    if (!server) return
    await ctx.emit('schedule.failed', {
      serverId: server.id,
      serverName: server.name,
      ownerId: server.ownerId,
      authorId: run.authorId,
      scheduleId: run.scheduleId,
      scheduleName: run.scheduleName,
      reason: detail ?? 'It failed',
    })
  })
}
