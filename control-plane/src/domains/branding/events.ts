import type { Branding } from '@lodge/shared/branding.ts'
import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Notices, NoticeTypes } from '../../events/notices.ts'
import { wordsFor } from '../../said-in.ts'
import { t } from './words.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** An announcement has begun. */
    announcement: {
      /** The name of the panel. */
      panel: string
      text: string
      link: string | null
      audience: Branding['announcement']['audience']
    }
  }
}

export const announcementTypes: NoticeTypes = {
  announcement: {
    title: 'The host announces something',
    severity: 'info',
    group: 'account',
  },
}

export const announcementNotices: Notices = {
  announcement: [
    {
      type: 'announcement',
      // The panel shows it above every page already.
      inbox: false,
      to: ({ audience }) => ({ subscribers: audience }),
      notice: ({ panel, text, link }, reader) => ({
        title: wordsFor(t, reader).announcement({ panel }),
        body: link === null ? text : `${text}\n${link}`,
        link: panelPath('home'),
      }),
    },
  ],
}
