import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Notices, NoticeTypes } from '../../events/notices.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** Somebody confirmed their address and waits for approval. */
    'signup.pending': { email: string }
  }
}

export const signupNoticeTypes: NoticeTypes = {
  'signup.pending': {
    title: 'A sign-up waits for approval',
    severity: 'info',
    group: 'host',
    staff: 'customers.approve',
  },
}

/** Which events become notifications, with recipients and wording. */
export const signupNotices: Notices = {
  'signup.pending': [
    {
      type: 'signup.pending',
      to: () => ({ staff: 'customers.approve' }),
      notice: ({ email }) => ({
        title: 'A sign-up waits for approval',
        body: email,
        link: panelPath('pending'),
      }),
    },
  ],
}
