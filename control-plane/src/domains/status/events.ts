import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { IncidentState } from '@lodge/shared/status.ts'
import type { Notices, NoticeTypes } from '../../events/notices.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** The public status page has an incident, maintenance, or an update of either that is new. */
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

/** Staff who subscribe get what the public page shows, e.g. in the team's chat. */
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
