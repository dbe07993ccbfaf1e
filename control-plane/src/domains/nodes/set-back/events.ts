import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Notices, NoticeTypes } from '../../../events/notices.ts'
import type { Records } from '../../../events/records.ts'
import { wordsFor } from '../../../said-in.ts'
import { t } from './words.ts'

declare module '../../../events/catalogue.ts' {
  interface EventCatalogue {
    /** The latest commits may be lost; `why` is a code of `whySetBack`, or `agent_ahead`. */
    'database.set_back': { why: string }
  }
}

export const setBackNoticeTypes: NoticeTypes = {
  'database.set_back': {
    title: 'The database was set back in time',
    severity: 'error',
    group: 'host',
    staff: 'nodes.view',
  },
}

export const setBackNotices: Notices = {
  'database.set_back': [
    {
      type: 'database.set_back',
      to: () => ({ staff: 'nodes.view' }),
      notice: (_, reader) => ({
        title: wordsFor(t, reader).setBack,
        body: wordsFor(t, reader).setBackBody,
        link: panelPath('failover'),
        groupKey: 'database.set_back',
      }),
    },
  ],
}

export const setBackActions = {
  'database set back': 'noticed that the database was set back in time',
} as const

export const setBackRecords: Records = {
  'database.set_back': ({ why }) => ({ action: 'database set back', detail: { why } }),
}
