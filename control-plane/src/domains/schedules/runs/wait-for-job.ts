import { findJob } from '../../../jobs/board/store.ts'
import type { JobRow } from '../../../jobs/board/tables.ts'
import type { StepTools } from '../../../jobs/sagas/saga.ts'
import { Problem } from '../../../problem.ts'

/** Every job ends long before this; a bug must not hold up the rest of the run for ever. */
const MOST_MS = 24 * 3_600_000

/**
 * Waits for a job that a task has begun.
 * @throws {Problem} with the reason, if the job did not succeed
 */
export async function waitForJob(
  tools: StepTools,
  { id, generation }: Pick<JobRow, 'id' | 'generation'>,
  since: Date,
): Promise<void> {
  const { db } = tools.ctx
  const isLate = () => Date.now() - since.getTime() > MOST_MS
  const hasEnded = async () => {
    const job = await findJob(db, id)
    // Ended jobs are removed after some time.
    return !job || job.endedAt !== null || isLate()
  }
  await tools.waitUntil(
    generation === null
      ? { kind: 'job-ended', jobId: id }
      : { kind: 'generation-settled', generation },
    hasEnded,
  )
  const job = await findJob(db, id)
  if (!job || job.state === 'done') return
  throw new Problem('invalid_state', whyNotDone(job))
}

function whyNotDone({ state, failure }: JobRow): string {
  if (state === 'superseded') return 'A later action took its place'
  if (state === 'cancelled') return 'It was cancelled'
  return failure?.detail ?? 'It has not ended within a day'
}
