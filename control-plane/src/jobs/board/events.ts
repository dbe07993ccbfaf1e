import { panelPath } from '@lodge/shared/panel-paths.ts'
import { contextFor } from '../../context.ts'
import type { Notices } from '../../events/notices.ts'
import type { Services } from '../../services.ts'

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

/** Which events become notifications, with recipients and wording. */
export const jobNotices: Notices = {
  'job.ended': [
    {
      to: ({ ownerId, startedBy }) => ({ users: [ownerId, startedBy] }),
      notice: ({ kind, title, failure, serverId }) => ({
        type: failure === null ? 'job.done' : 'job.failed',
        severity: failure === null ? 'info' : 'error',
        title: failure === null ? `Done: ${title}` : `Failed: ${title}`,
        body: failure ?? 'The job is finished.',
        link: serverId === null ? panelPath('jobs') : panelPath('serverConsole', { id: serverId }),
        groupKey: `job:${kind}:${serverId}`,
      }),
    },
  ],
}
