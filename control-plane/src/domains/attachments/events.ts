import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Notices, NoticeTypes } from '../../events/notices.ts'
import { wordsFor } from '../../said-in.ts'
import type { UserRow } from '../customers/index.ts'
import { t } from './words.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** It is known now whether a file of a message may be downloaded. */
    'attachment.scanned': { messageKind: string; messageId: string }
    /** A scanner refused a file. */
    'attachment.infected': {
      name: string
      why: string
      /** Null while it was not sent, which it cannot be any more. */
      message: { kind: string; id: string } | null
      uploader: { id: string; email: string; role: UserRow['role'] } | null
    }
    /** A picture of a message has a preview now, or is known to have none. */
    'attachment.previewed': { messageKind: string; messageId: string }
  }
}

export const attachmentNoticeTypes: NoticeTypes = {
  'attachment.infected': {
    title: 'A scanner refused a file before it was sent',
    severity: 'warn',
    group: 'host',
    staff: 'support.view',
  },
}

/** Of files that were sent, the domains of their messages tell. */
export const attachmentNotices: Notices = {
  'attachment.infected': [
    {
      type: 'attachment.infected',
      to: ({ message }) => (message === null ? { staff: 'support.view' } : { users: [] }),
      notice: ({ name, why, uploader }, reader) => {
        const words = wordsFor(t, reader)
        return {
          title: uploader ? words.refusedOf(uploader) : words.refused,
          body: `${name}: ${why}`,
          groupKey: `attachment.infected:${uploader?.id}`,
          ...(uploader?.role === 'customer' && {
            link: panelPath('customer', { id: uploader.id }),
          }),
        }
      },
    },
  ],
}
