import { jobKind } from '@lodge/shared/job-kinds.ts'
import type { Ctx } from '../../context.ts'
import { findJob, openJobsOfServer } from '../../jobs/board/store.ts'
import type { JobRow } from '../../jobs/board/tables.ts'
import type { StepTools } from '../../jobs/sagas/saga.ts'
import { Problem } from '../../problem.ts'

async function fileJobs({ db }: Ctx, serverId: string): Promise<JobRow[]> {
  const open = await openJobsOfServer(db, serverId)
  return open.filter(({ kind }) => jobKind(kind).writesFiles)
}

/** Waits for jobs that write files of a server; its hold lets no other begin. */
export async function filesLeft(
  { serverId }: { readonly serverId: string },
  { ctx, waitUntil }: StepTools,
): Promise<void> {
  // Each wait parks the step, which then looks again.
  for (const job of await fileJobs(ctx, serverId))
    await waitUntil({ kind: 'job-ended', jobId: job.id }, async () => {
      return (await findJob(ctx.db, job.id))?.endedAt !== null
    })
}

/**
 * For a server that would be off while its files are waited for.
 * @throws {Problem} job_in_progress
 */
export async function requireFilesLeft(ctx: Ctx, serverId: string): Promise<void> {
  const [job] = await fileJobs(ctx, serverId)
  if (job)
    throw new Problem(
      'job_in_progress',
      'A job still writes files of this server: wait for it, or cancel it first',
    )
}
