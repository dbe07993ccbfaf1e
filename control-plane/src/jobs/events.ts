import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Notices } from '../events/notices.ts'

declare module '../events/catalogue.ts' {
  interface EventCatalogue {
    /** Told of failures, and of the success of what takes long. */
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

/** What of it reaches inboxes: who is told, and in which words. */
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
