import { requireNotCancelled } from './cancellation.ts'
import type { StepTools } from './saga.ts'

/**
 * For a step whose work was interrupted: if the job was cancelled, it is rolled back; if the process
 * stops, it is left to be resumed. Does nothing if it was not interrupted.
 */
export async function giveWay({ ctx, job, signal }: Pick<StepTools, 'ctx' | 'job' | 'signal'>) {
  if (!signal.aborted) return
  await requireNotCancelled(ctx.db, job.id)
  signal.throwIfAborted()
}
