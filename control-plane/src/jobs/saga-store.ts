import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type Db, later, notify } from '../db/database.ts'
import { ONLINE } from '../fleet/online.ts'
import { CHANNEL } from './dispatch-store.ts'
import { type JobRow, jobSteps, jobs, type SagaRow, sagas } from './tables.ts'

export async function insertSaga(db: Db, row: typeof sagas.$inferInsert): Promise<void> {
  await db.insert(sagas).values(row)
}

export async function findSaga(db: Db, jobId: string): Promise<SagaRow | undefined> {
  const [row] = await db.select().from(sagas).where(eq(sagas.jobId, jobId))
  return row
}

export async function updateSaga(
  db: Db,
  jobId: string,
  change: Partial<Omit<SagaRow, 'jobId'>>,
): Promise<void> {
  await db.update(sagas).set(change).where(eq(sagas.jobId, jobId))
}

export async function findStep(
  db: Db,
  jobId: string,
  step: string,
): Promise<Record<string, unknown> | undefined> {
  const [row] = await db
    .select()
    .from(jobSteps)
    .where(and(eq(jobSteps.jobId, jobId), eq(jobSteps.step, step)))
  return row?.made
}

export async function insertStep(
  db: Db,
  jobId: string,
  step: string,
  made: Record<string, unknown>,
): Promise<void> {
  await db.insert(jobSteps).values({ jobId, step, made }).onConflictDoNothing()
}

export async function deleteStep(db: Db, jobId: string, step: string): Promise<void> {
  await db.delete(jobSteps).where(and(eq(jobSteps.jobId, jobId), eq(jobSteps.step, step)))
}

/** Sagas that no dispatcher knows of: the safety net under it. */
export const idleSagas = (db: Db, kinds: readonly string[]): Promise<JobRow[]> =>
  db
    .select()
    .from(jobs)
    .where(
      and(
        inArray(jobs.kind, [...kinds]),
        eq(jobs.runsAs, 'saga'),
        isNull(jobs.endedAt),
        sql`not exists (select from job_dispatch d where d.job_id = ${jobs.id})`,
      ),
    )
    .orderBy(jobs.createdAt)
    .limit(100)

/**
 * Wakes parked sagas once the transaction commits. One that a worker still has is not taken from it:
 * it is marked, and due as soon as that worker puts it back, so a wake-up is not lost in between.
 */
export async function wakeSagas(db: Db, jobIds: readonly string[]): Promise<void> {
  if (jobIds.length === 0) return
  await later(db, {
    text: `update job_dispatch set woken = true,
        due_at = case when worker is null then clock_timestamp() else due_at end
      where job_id = any($1::uuid[])`,
    values: [jobIds],
  })
  await notify(db, CHANNEL, '')
}

/** Ends the registration of the sagas that wait for one of these nodes. @returns their jobs */
export async function unparkFromNodes(db: Db, nodeIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(
    sql`update sagas set parked_node = null
      where parked_node = any(${sql.param([...nodeIds])}::uuid[]) returning job_id as id`,
  )
  return rows.map(({ id }) => id)
}

export async function isNodeOnline(db: Db, nodeId: string): Promise<boolean> {
  const { rows } = await db.execute<{ online: boolean }>(
    sql`select ${sql.raw(ONLINE)} as online from nodes where id = ${nodeId}::uuid`,
  )
  // A node that is gone never comes: whoever waits for it has to look for itself.
  return rows[0]?.online ?? true
}

/** Of these jobs those that a person has cancelled. */
export async function cancelledAmong(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(inArray(jobs.id, [...ids]), eq(jobs.cancelRequested, true), isNull(jobs.endedAt)))
  return rows.map(({ id }) => id)
}
