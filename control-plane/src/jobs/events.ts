import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Notices } from '../events/notices.ts'

declare module '../events/catalogue.ts' {
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

/** Which events become notifications, with recipients and wording. */
export const jobNotices: Notices = {
  'job.ended': [
    {
      to: ({ ownerId, startedBy }) => ({ users: [ownerId, startedBy] }),
      notice: ({ kind, title, failure, serverId }) => ({
        type: failure === null ? 'job.done' : 'job.failed',
        severity: failure === null ? 'info' : 'error',
        title: failure === null ? `Done: ${title}` : `Failed: ${title}`,
        body: failure ?? 'It is complete.',
        link: serverId === null ? panelPath('jobs') : panelPath('serverConsole', { id: serverId }),
        groupKey: `job:${kind}:${serverId}`,
      }),
    },
  ],
}
