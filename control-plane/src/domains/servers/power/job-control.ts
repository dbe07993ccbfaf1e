import { isCancellable, jobKind } from '@lodge/shared/job-kinds.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { closedSteps } from '../../../jobs/board/closed-steps.ts'
import { endJob, updateJob } from '../../../jobs/board/store.ts'
import type { JobRow } from '../../../jobs/board/tables.ts'
import { Problem } from '../../../problem.ts'
import { loadServer } from '../access/access.ts'
import { changeDesired } from '../desired-state/desired-state.ts'
import { lockServer } from '../store.ts'
import { act } from './power.ts'

/** Cancels a job: a desired-state job is replaced by the desired state "off", a saga rolls back. */
export async function cancelJob(ctx: Ctx, job: JobRow): Promise<void> {
  if (job.endedAt) throw new Problem('invalid_state', `The job has already ended: ${job.state}`)
  if (!jobKind(job.kind).cancellable)
    throw new Problem('invalid_state', 'This job cannot be cancelled, but ends soon')
  if (!isCancellable(job.kind, job.steps))
    throw new Problem('invalid_state', 'It is too late to cancel this job: wait until it ends')
  if (job.runsAs === 'saga') return ctx.transaction((ctx) => ctx.jobs.sagas.cancel(ctx.db, job.id))
  if (job.waitsFor !== null)
    return ctx.transaction((ctx) => ctx.jobs.desiredState.end(ctx.db, job.id, 'cancelled'))
  await ctx.transaction(async (ctx) => {
    const row = job.serverId === null ? undefined : await lockServer(ctx.db, job.serverId)
    // Otherwise a newer desired state has already replaced this job's, or the server is gone.
    if (row && row.generation === job.generation)
      await changeDesired(ctx, row, { desiredPower: 'off', desiredEnding: 'kill' })
    await updateJob(ctx.db, job.id, { steps: closedSteps(job, 'cancelled') })
    await endJob(ctx.db, job.id, 'cancelled')
    await ctx.live.announce(ctx.db, { kind: 'job', id: job.id })
  })
}

/** Repeats a failed or cancelled job as a new one. */
export async function retryJob(ctx: Ctx<User>, job: JobRow): Promise<{ jobId: string }> {
  if (job.state !== 'failed' && job.state !== 'cancelled')
    throw new Problem('invalid_state', 'Only a failed or cancelled job can be retried')
  const action = jobKind(job.kind).again
  const server = job.serverId === null ? undefined : await loadServer(ctx, job.serverId)
  if (!action || !server)
    throw new Problem('invalid_state', 'This job cannot be retried: repeat the action on its page')
  return act(ctx, server, action, { confirm: true })
}
