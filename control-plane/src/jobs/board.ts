import { randomUUIDv7 } from 'node:crypto'
import { jobKind } from '@lodge/shared/job-kinds.ts'
import type { Db } from '../db/database.ts'
import type { LiveEvents } from '../live/live-events.ts'
import type { About } from './about.ts'
import { authorityOf } from './authority.ts'
import { JobDurations } from './durations.ts'
import { type insertJobDeferred, waitingSteps } from './store.ts'
import type { JobRow } from './tables.ts'
import type { Within } from './within.ts'

/** What both ways of running a job share: its row, who hears of it, and how long it took. */
export class JobBoard {
  /** Of the jobs that ended in this process. */
  readonly durations = new JobDurations()
  readonly live: LiveEvents
  /** Told, in the same transaction, of each job that failed and of long ones that are done. */
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
    const { stepNames, ...columns } = more
    const job = await insert(ctx.db, {
      id: randomUUIDv7(),
      kind,
      title: about.title,
      state: 'waiting',
      serverId: about.serverId ?? null,
      nodeId: about.nodeId ?? null,
      ownerId: about.ownerId ?? null,
      startedBy: authorityOf(ctx.actor).userId,
      concurrencyGroup: null,
      generation: null,
      waitsFor: null,
      input: {},
      steps: waitingSteps(stepNames),
      createdAt: new Date(),
      ...columns,
    })
    await this.changed(ctx.db, job.id)
    return job
  }

  /** Tells whoever looks at the job. */
  changed(db: Db, jobId: string): Promise<void> {
    return this.live.announce(db, { kind: 'job', id: jobId })
  }

  /** Lets people hear of an end that is worth it. */
  async tellEnd(db: Db, job: JobRow, state: string, failure: JobRow['failure']): Promise<void> {
    if (state === 'failed') await this.ended(db, job, failure?.detail ?? 'It failed')
    else if (state === 'done' && jobKind(job.kind).long) await this.ended(db, job, null)
  }
}
