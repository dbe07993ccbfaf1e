import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Notices, NoticeTypes } from '../../events/notices.ts'
import { momentText } from '../../moment-text.ts'
import { wordsFor } from '../../said-in.ts'
import type { ServerNews } from '../servers/index.ts'
import { t } from './words.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** The host had a server take a copy that has nothing newer than `at`: its newer one again, or an older one. */
    'server.older-copy': ServerNews & { at: Date; isNewer: boolean }
  }
}

export const olderCopyNoticeTypes: NoticeTypes = {
  'server.older-copy': {
    title: 'A server has older files, or its newer ones again',
    severity: 'warn',
    group: 'servers',
  },
}

export const olderCopyNotices: Notices = {
  'server.older-copy': [
    {
      type: 'server.older-copy',
      to: ({ people }) => ({ users: people.map(({ userId }) => userId) }),
      notice: ({ serverId, serverName, at, isNewer }, reader) => {
        const words = wordsFor(t, reader)
        const when = { at: momentText(at, reader) }
        return {
          title: (isNewer ? words.hasNewer : words.hasOlder)({ server: serverName }),
          body: (isNewer ? words.hasNewerBody : words.hasOlderBody)(when),
          link: panelPath('server', { id: serverId }),
        }
      },
    },
  ],
}
