import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Notices, NoticeTypes } from '../../events/notices.ts'
import type { ServerNews } from '../servers/index.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** A node that it waited for was lost, so it is removed again. */
    'server.clone_given_up': ServerNews & {
      /** The node that it was to be on; otherwise the one that has the original. */
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
      notice: ({ serverName, isTarget }) => ({
        title: `The clone ${serverName} was given up`,
        body: isTarget
          ? 'The machine it was to be on is lost. Nothing is left of it, and the server it was made from is as it was. Ask your host to clone that server again.'
          : 'The machine of the server it was made from is lost, so its files could not be copied. Nothing is left of the clone. Ask your host to clone a backup of that server.',
        link: link(),
      }),
    },
    {
      type: 'node.clone_given_up',
      to: () => ({ staff: 'nodes.view' }),
      notice: ({ serverId, serverName, nodeName, isTarget }) => ({
        title: `${serverName} was not cloned`,
        body: isTarget
          ? `${nodeName}, which it was to be on, is lost. Nothing is left of the clone. Make it again on a node that is connected.`
          : `${nodeName}, which has the original, is lost. Nothing is left of the clone. Clone one of its backups, or wait until ${nodeName} is back.`,
        link: link(),
        groupKey: `node.clone_given_up:${serverId}`,
      }),
    },
  ],
}
