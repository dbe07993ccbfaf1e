import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { EventHandlers } from '../../../events/events.ts'
import type { Notices, NoticeTypes } from '../../../events/notices.ts'
import type { Records } from '../../../events/records.ts'
import { wordsFor } from '../../../said-in.ts'
import { EPOCH_LEAP } from '../../nodes/index.ts'
import { raiseFailoverRevisions } from './findings-store.ts'
import { t } from './words.ts'

declare module '../../../events/catalogue.ts' {
  interface EventCatalogue {
    /** A node knows more about some servers than the database, which was set back in time. */
    'state.rollback_detected': { nodeId: string; name: string; servers: number; names: string }
  }
}

export const rollbackNoticeTypes: NoticeTypes = {
  'state.rollback_detected': {
    title: 'A node knows more than the database',
    severity: 'error',
    group: 'host',
    staff: 'nodes.view',
  },
}

export const rollbackNotices: Notices = {
  'state.rollback_detected': [
    {
      type: 'state.rollback_detected',
      to: () => ({ staff: 'nodes.view' }),
      notice: ({ nodeId, name, servers, names }, reader) => ({
        title: wordsFor(t, reader).ahead({ node: name }),
        body: wordsFor(t, reader).aheadBody({ servers, names }),
        link: panelPath('failover'),
        groupKey: `state.rollback_detected:${nodeId}`,
      }),
    },
  ],
}

export const rollbackActions = {
  'rollback detected': 'found that {target} knows more than the database',
} as const

export const rollbackRecords: Records = {
  'state.rollback_detected': ({ nodeId, servers, names }) => ({
    action: 'rollback detected',
    targetId: nodeId,
    detail: { servers, names },
  }),
}

/** After a set-back, forgets confirmations of guards: they may be for revisions that are lost. */
export const rollbackListeners: EventHandlers = {
  async 'database.set_back'(ctx, { why }) {
    // One agent's claim must not affect other nodes.
    if (why !== 'agent_ahead') await raiseFailoverRevisions(ctx.db, EPOCH_LEAP)
  },
}
