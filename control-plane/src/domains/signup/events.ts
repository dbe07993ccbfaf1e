import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Notices, NoticeTypes } from '../../events/notices.ts'
import { wordsFor } from '../../said-in.ts'
import { t } from './words.ts'

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
      notice: ({ email }, reader) => ({
        title: wordsFor(t, reader).pending,
        body: email,
        link: panelPath('pending'),
      }),
    },
  ],
}
