import { jobKind } from '@lodge/shared/job-kinds.ts'
import type { Db } from '../../db/database.ts'
import type { LiveEvents } from '../../live/live-events.ts'
import type { About } from './about.ts'
import { authorityOf } from './authority.ts'
import { JobDurations } from './durations.ts'
import { type insertJobDeferred, newJob } from './store.ts'
import type { JobRow } from './tables.ts'
import type { Within } from './within.ts'

/** What both kinds of jobs share: the row, live announcements and durations. */
export class JobBoard {
  /** Of jobs that ended in this process. */
  readonly durations = new JobDurations()
  readonly live: LiveEvents
  /** Called in the same transaction for each failed job, and for long ones that succeed. */
  ended: (db: Db, job: JobRow, failure: string | null) => Promise<void> = async () => undefined

  constructor(live: LiveEvents) {
    this.live = live
  }

  async insert(
    ctx: Within,
    insert: typeof insertJobDeferred,
    kind: string,
    about: About,
    more: Pick<JobRow, 'runsAs'> & Partial<JobRow> & { readonly stepNames: readonly string[] },
  ): Promise<JobRow> {
    const job = await insert(ctx.db, newJob(kind, about, authorityOf(ctx.actor).userId, more))
    await this.changed(ctx.db, job.id)
    return job
  }

  /** Announces the change to open panels. */
  changed(db: Db, jobId: string): Promise<void> {
    return this.live.announce(db, { kind: 'job', id: jobId })
  }

  /** Notifies people of an end worth reporting. */
  async tellEnd(db: Db, job: JobRow, state: string, failure: JobRow['failure']): Promise<void> {
    if (jobKind(job.kind).ownNotice) return
    if (state === 'failed') await this.ended(db, job, failure?.detail ?? 'The job failed')
    else if (state === 'done' && jobKind(job.kind).long) await this.ended(db, job, null)
  }
}
