import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type Db, later, notify } from '../../db/database.ts'
import { insertMany } from '../../db/insert-many.ts'
import { ONLINE } from '../../fleet/online.ts'
import { jobSteps, jobs, type SagaRow, sagas } from '../board/tables.ts'
import { CHANNEL } from '../dispatch/dispatch-store.ts'

export async function insertSaga(db: Db, row: typeof sagas.$inferInsert): Promise<void> {
  await db.insert(sagas).values(row)
}

export async function insertSagas(
  db: Db,
  rows: readonly (typeof sagas.$inferInsert)[],
): Promise<void> {
  await later(db, insertMany(sagas, rows))
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

/**
 * Dispatches sagas that have no dispatch row, each at its start time: the dispatch table is
 * unlogged, so a database crash empties it.
 * @returns how many
 */
export async function redispatch(db: Db, kinds: readonly string[]): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(sql`
    insert into job_dispatch (job_id, due_at)
    select j.id, coalesce(s.run_at, now()) from jobs j left join sagas s on s.job_id = j.id
    where j.runs_as = 'saga' and j.ended_at is null and j.kind = any(${sql.param([...kinds])}::text[])
      and not exists (select from job_dispatch d where d.job_id = j.id)
    order by j.created_at limit 100
    on conflict do nothing returning job_id as id`)
  if (rows.length > 0) await notify(db, CHANNEL, '')
  return rows.length
}

/**
 * Wakes parked sagas when the transaction commits. One still held by a worker is not taken away but
 * marked, and is due as soon as that worker returns it, so no wake-up is lost in between.
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

/**
 * Clears the registration of sagas that wait for one of these nodes.
 * @returns their jobs
 */
export async function unparkFromNodes(db: Db, nodeIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(
    sql`update sagas set parked_node = null
      where parked_node = any(${sql.param([...nodeIds])}::uuid[]) returning job_id as id`,
  )
  return rows.map(({ id }) => id)
}

/** Wakes the sagas that wait for this job, when the transaction that ends it commits. */
export async function wakeForJob(db: Db, jobId: string): Promise<void> {
  const { rows } = await db.execute<{ id: string }>(
    sql`update sagas set parked_job = null where parked_job = ${jobId}::uuid returning job_id as id`,
  )
  await wakeSagas(
    db,
    rows.map(({ id }) => id),
  )
}

export async function isNodeOnline(db: Db, nodeId: string): Promise<boolean> {
  const { rows } = await db.execute<{ online: boolean }>(
    sql`select ${sql.raw(ONLINE)} as online from nodes where id = ${nodeId}::uuid`,
  )
  // A deleted node never comes online; only a cancel ends that wait.
  return rows[0]?.online ?? false
}

/** Whether a node has been connected for at least this long, without a break. */
export async function isOnlineFor(db: Db, nodeId: string, ms: number): Promise<boolean> {
  const { rows } = await db.execute<{ online: boolean }>(
    sql`select ${sql.raw(ONLINE)}
        and connected_at <= statement_timestamp() - ${ms} * interval '1 millisecond' as online
      from nodes where id = ${nodeId}::uuid`,
  )
  return rows[0]?.online ?? false
}

/** Which of these open jobs were cancelled, and by which fact if no person did. */
export const cancelledAmong = (
  db: Db,
  ids: readonly string[],
): Promise<{ id: string; brokenOff: SagaRow['brokenOff'] }[]> =>
  db
    .select({ id: jobs.id, brokenOff: sagas.brokenOff })
    .from(jobs)
    .leftJoin(sagas, eq(sagas.jobId, jobs.id))
    .where(and(inArray(jobs.id, [...ids]), eq(jobs.cancelRequested, true), isNull(jobs.endedAt)))
