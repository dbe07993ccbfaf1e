import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Notices, NoticeTypes } from '../../events/notices.ts'
import { momentText } from '../../moment-text.ts'
import { wordsFor } from '../../said-in.ts'
import type { ServerNews } from '../servers/index.ts'
import { t } from './words.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** The host had a server take a copy that has nothing newer than `at`. */
    'server.older-copy': ServerNews & { at: Date }
  }
}

export const olderCopyNoticeTypes: NoticeTypes = {
  'server.older-copy': {
    title: 'A server has older files',
    severity: 'warn',
    group: 'servers',
  },
}

export const olderCopyNotices: Notices = {
  'server.older-copy': [
    {
      type: 'server.older-copy',
      to: ({ people }) => ({ users: people.map(({ userId }) => userId) }),
      notice: ({ serverId, serverName, at }, reader) => ({
        title: wordsFor(t, reader).hasOlder({ server: serverName }),
        body: wordsFor(t, reader).hasOlderBody({ at: momentText(at, reader) }),
        link: panelPath('server', { id: serverId }),
      }),
    },
  ],
}
