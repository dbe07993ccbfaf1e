import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { IncidentState } from '@lodge/shared/status.ts'
import type { Notices, NoticeTypes } from '../../events/notices.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** Something new stands on the public status page: an incident or maintenance, or an update of it. */
    'status.told': {
      incidentId: string
      updateId: string
      title: string
      state: IncidentState
      body: string
    }
  }
}

export const statusNoticeTypes: NoticeTypes = {
  'status.told': {
    title: 'The status page tells something new',
    severity: 'info',
    group: 'host',
    staff: 'status.view',
  },
}

/** Staff who ask for it get what the public page tells, e.g. in the chat of the team. */
export const statusNotices: Notices = {
  'status.told': [
    {
      type: 'status.told',
      inbox: false,
      to: () => ({ staff: 'status.view' }),
      notice: ({ incidentId, title, body }) => ({
        title,
        body,
        link: panelPath('statusIncident', { id: incidentId }),
        groupKey: `status.told:${incidentId}`,
      }),
    },
  ],
}
