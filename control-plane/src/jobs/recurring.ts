import { nextOccurrence, type Recurrence } from '@lodge/shared/cron/occurrences.ts'
import { eq, lte } from 'drizzle-orm'
import { type Ctx, contextFor } from '../context.ts'
import type { Db } from '../db/database.ts'
import type { Services } from '../services.ts'
import type { About } from './board/about.ts'
import { authorityOf } from './board/authority.ts'
import { type RecurringJobRow, recurringJobs } from './board/tables.ts'
import { type PeriodicTask, watcher } from './periodic-task.ts'
import type { Saga } from './sagas/saga.ts'
import type { SagaCatalogue } from './worker.ts'

/** Due definitions handled in one transaction. */
const AT_ONCE = 50

/** Enqueues this saga at each occurrence, with the rights of the current actor. */
export async function defineRecurringJob<Input extends object>(
  ctx: Ctx,
  id: string,
  work: Pick<Saga<Input, never>, 'name'>,
  input: Input,
  about: About,
  recurrence: Recurrence,
): Promise<void> {
  const row = {
    kind: work.name,
    ...recurrence,
    input: { ...input } as Record<string, unknown>,
    about,
    authority: authorityOf(ctx.actor),
    nextAt: nextOccurrence(recurrence, ctx.now),
  }
  await ctx.db
    .insert(recurringJobs)
    .values({ id, ...row })
    .onConflictDoUpdate({ target: recurringJobs.id, set: row })
}

/** Jobs already enqueued stay. */
export async function removeRecurringJob(db: Db, id: string): Promise<void> {
  await db.delete(recurringJobs).where(eq(recurringJobs.id, id))
}

/**
 * Enqueues what is due. Several instances may run it at once: a definition is locked, skipped by
 * the others, and advanced to its next occurrence in the transaction that enqueues its job, so each
 * occurrence gets exactly one job even if a process is killed. Of occurrences missed while nothing
 * ran, one is caught up.
 */
export const recurringJobsTask = (sagas: SagaCatalogue): PeriodicTask =>
  watcher(
    'jobs.recurring',
    'select from recurring_jobs where next_at <= now()',
    async (services) => ({ enqueued: await enqueueDue(sagas, services) }),
  )

async function enqueueDue(sagas: SagaCatalogue, services: Services): Promise<number> {
  const system = contextFor(services, { kind: 'system' } as const)
  return system.transaction(async ({ db }) => {
    const due = await db
      .select()
      .from(recurringJobs)
      .where(lte(recurringJobs.nextAt, new Date()))
      .orderBy(recurringJobs.nextAt)
      .limit(AT_ONCE)
      .for('update', { skipLocked: true })
    for (const row of due) {
      const nextAt = nextOccurrence(row, new Date())
      await db.update(recurringJobs).set({ nextAt }).where(eq(recurringJobs.id, row.id))
      await enqueueOne(sagas, services, db, row)
    }
    return due.length
  })
}

async function enqueueOne(
  sagas: SagaCatalogue,
  services: Services,
  db: Db,
  { kind, input, about, authority, nextAt }: RecurringJobRow,
): Promise<void> {
  const work = sagas.get(kind)
  if (!work) return services.log.warn({ kind }, 'a recurring job has an unknown kind')
  const ctx = contextFor({ ...services, db }, { kind: 'system', authority } as const)
  // With `runAt`, it takes its concurrency group only when it begins, and waits for it instead of
  // failing.
  await services.jobs.sagas.enqueue(ctx, work, work.input.parse(input), about, {
    runAt: nextAt ?? ctx.now,
  })
}
