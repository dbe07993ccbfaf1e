import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Notices, NoticeTypes } from '../../events/notices.ts'
import { momentText } from '../../moment-text.ts'
import { reasonIn, wordsFor } from '../../said-in.ts'
import type { MailTrouble } from './trouble.ts'
import { t } from './words.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** The mail server has taken no mail for a while. */
    'email.failing': MailTrouble
  }
}

export const emailNoticeTypes: NoticeTypes = {
  'email.failing': {
    title: 'No mail can be sent',
    severity: 'error',
    group: 'host',
    staff: 'email.view',
  },
}

export const emailNotices: Notices = {
  'email.failing': [
    {
      type: 'email.failing',
      to: () => ({ staff: 'email.view' }),
      notice: ({ waiting, since, error }, reader) => ({
        title: wordsFor(t, reader).noMail,
        body: wordsFor(t, reader).noMailBody({
          waiting,
          since: momentText(since, reader),
          error: reasonIn(error, reader),
        }),
        link: panelPath('email'),
      }),
    },
  ],
}
