import type { Db } from '../../db/database.ts'
import { findJob } from '../board/store.ts'
import type { BrokenOff } from '../board/tables.ts'
import { Permanent } from './saga.ts'
import { findSaga } from './saga-store.ts'

/** The failure of a job that a person cancelled, or that a fact has broken off. */
export const cancellation = (because?: BrokenOff | null): Permanent =>
  because
    ? new Permanent(because.code, because.detail)
    : new Permanent('cancelled', 'The job was cancelled')

/**
 * For a step that cannot be taken back, in its transaction: whoever cancels a job under the same locks
 * is either seen here, or sees what the step has done.
 * @throws {Permanent} if the job was cancelled or broken off
 */
export async function requireNotCancelled(db: Db, jobId: string): Promise<void> {
  if (!(await findJob(db, jobId))?.cancelRequested) return
  throw cancellation((await findSaga(db, jobId))?.brokenOff)
}
