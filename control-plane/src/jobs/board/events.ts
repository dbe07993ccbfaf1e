import { jobKind } from '@lodge/shared/job-kinds.ts'
import { panelPath } from '@lodge/shared/panel-paths.ts'
import { contextFor } from '../../context.ts'
import type { EventCatalogue } from '../../events/catalogue.ts'
import type { Audience, Notice, Notices, NoticeTypes } from '../../events/notices.ts'
import type { Reader } from '../../moment-text.ts'
import { reasonIn, saidIn, wordsFor } from '../../said-in.ts'
import type { Services } from '../../services.ts'
import { t } from './words.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** Emitted for failures, and for successes of long jobs. */
    'job.ended': {
      kind: string
      title: string
      failure: string | null
      serverId: string | null
      ownerId: string | null
      startedBy: string | null
    }
  }
}

/** Emits the end of jobs, in the transaction that ends them. */
export function emitEnds(services: Services): void {
  services.jobs.ended = (tx, { kind, title, serverId, ownerId, startedBy }, failure) =>
    contextFor({ ...services, db: tx }, { kind: 'system' }).emit('job.ended', {
      ...{ kind, title, failure, serverId, ownerId, startedBy },
    })
}

export const jobNoticeTypes: NoticeTypes = {
  'job.done': { title: 'A long job is done', severity: 'info', group: 'servers' },
  'job.failed': { title: 'A job failed', severity: 'error', group: 'servers' },
}

type Ended = EventCatalogue['job.ended']

const people = ({ kind, ownerId, startedBy }: Ended): Audience => ({
  users: jobKind(kind).tellsOnlyStarter ? [startedBy] : [ownerId, startedBy],
})
const whoHears = (job: Ended): Audience =>
  jobKind(job.kind).tellsServersPeople
    ? { users: job.startedBy === job.ownerId ? [] : [job.startedBy] }
    : people(job)
const nobody: Audience = { users: [] }
const notice = ({ kind, title: job, failure, serverId }: Ended, reader: Reader): Notice => {
  const words = wordsFor(t, reader)
  const title = saidIn(job, reader)
  return {
    title: failure === null ? words.done({ title }) : words.failed({ title }),
    body: failure === null ? words.finished : reasonIn(failure, reader),
    link: serverId === null ? panelPath('jobs') : panelPath('serverConsole', { id: serverId }),
    groupKey: `job:${kind}:${serverId}`,
  }
}

/** Which events become notifications, with recipients and wording. */
export const jobNotices: Notices = {
  'job.ended': [
    { type: 'job.done', to: (job) => (job.failure === null ? whoHears(job) : nobody), notice },
    { type: 'job.failed', to: (job) => (job.failure === null ? nobody : people(job)), notice },
  ],
}
