import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Notices, NoticeTypes } from '../../events/notices.ts'
import { wordsFor } from '../../said-in.ts'
import type { UserRow } from '../customers/index.ts'
import { t } from './words.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** The scan of a file of a message has ended, so it is known whether people may download it. */
    'attachment.scanned': { messageKind: string; messageId: string }
    /** A scanner refused a file. */
    'attachment.infected': {
      name: string
      why: string
      /** Null if it was refused before it was sent; it can no longer be sent. */
      message: { kind: string; id: string } | null
      uploader: { id: string; email: string; role: UserRow['role'] } | null
    }
    /** The preview of a picture of a message was drawn, or the picture turned out to have none. */
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

/** Only about unsent files: the domains of the messages report the sent ones. */
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
