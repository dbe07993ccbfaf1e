import { findJob, openJobsOfServer } from '../../jobs/board/store.ts'
import type { StepTools } from '../../jobs/sagas/saga.ts'

/** Waits for jobs that are changing many of a server's files; its hold lets no other begin. */
export async function filesLeft(
  { serverId }: { readonly serverId: string },
  { ctx, waitUntil }: StepTools,
): Promise<void> {
  const open = await openJobsOfServer(ctx.db, serverId)
  const [job] = open.filter(({ concurrencyGroup }) => concurrencyGroup === 'files')
  if (!job) return
  await waitUntil({ kind: 'job-ended', jobId: job.id }, async () => {
    return (await findJob(ctx.db, job.id))?.endedAt !== null
  })
}
