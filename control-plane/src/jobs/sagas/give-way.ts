import { findJob } from '../board/store.ts'
import { Permanent, type StepTools } from './saga.ts'

/**
 * For a step whose work was interrupted: if a person cancelled, the job is rolled back; if the
 * process stops, it is left to be resumed. Does nothing if it was not interrupted.
 */
export async function giveWay({ ctx, job, signal }: Pick<StepTools, 'ctx' | 'job' | 'signal'>) {
  if (!signal.aborted) return
  const now = await findJob(ctx.db, job.id)
  if (now?.cancelRequested) throw new Permanent('cancelled', 'The job was cancelled')
  signal.throwIfAborted()
}
