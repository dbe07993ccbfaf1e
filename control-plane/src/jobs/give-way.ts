import { Permanent, type StepTools } from './saga.ts'
import { findJob } from './store.ts'

/**
 * For a step whose work was interrupted: a person's cancel takes everything back, the end of the
 * process leaves it to be gone on with. Nothing happens when it was not interrupted.
 */
export async function giveWay({ ctx, job, signal }: Pick<StepTools, 'ctx' | 'job' | 'signal'>) {
  if (!signal.aborted) return
  const now = await findJob(ctx.db, job.id)
  if (now?.cancelRequested) throw new Permanent('cancelled', 'The job was cancelled')
  signal.throwIfAborted()
}
