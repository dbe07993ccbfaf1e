import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Notices, NoticeTypes } from '../../events/notices.ts'
import { wordsFor } from '../../said-in.ts'
import type { ServerNews } from '../servers/index.ts'
import { t } from './words.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** A clone was given up and removed because a node that it waited for was lost. */
    'server.clone_given_up': ServerNews & {
      /**
       * Whether the lost node is the one that the clone was to be on, rather than that of the
       * original.
       */
      isTarget: boolean
      nodeName: string
    }
  }
}

export const cloneNoticeTypes: NoticeTypes = {
  'server.clone_given_up': {
    title: 'A clone was given up',
    severity: 'warn',
    group: 'servers',
  },
  'node.clone_given_up': {
    title: 'A clone that waited for a lost node was given up',
    severity: 'warn',
    group: 'host',
    staff: 'nodes.view',
  },
}

const link = () => panelPath('servers')

export const cloneNotices: Notices = {
  'server.clone_given_up': [
    {
      type: 'server.clone_given_up',
      to: ({ people }) => ({ users: people.map(({ userId }) => userId) }),
      notice: ({ serverName, isTarget }, reader) => ({
        title: wordsFor(t, reader).givenUp({ clone: serverName }),
        body: isTarget ? wordsFor(t, reader).ownMachineLost : wordsFor(t, reader).originalLost,
        link: link(),
      }),
    },
    {
      type: 'node.clone_given_up',
      to: () => ({ staff: 'nodes.view' }),
      notice: ({ serverId, serverName, nodeName: node, isTarget }, reader) => ({
        title: wordsFor(t, reader).notCloned({ clone: serverName }),
        body: isTarget
          ? wordsFor(t, reader).targetLost({ node })
          : wordsFor(t, reader).sourceLost({ node }),
        link: link(),
        groupKey: `node.clone_given_up:${serverId}`,
      }),
    },
  ],
}
