import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Notices, NoticeTypes } from '../../events/notices.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** A node has sent nothing for a minute. */
    'node.offline': { nodeId: string; name: string; servers: number }
    'node.online': { nodeId: string; name: string }
    /** The panel hands out a newer agent than the one of the node. */
    'node.agent_outdated': { nodeId: string; name: string; version: string; newest: string }
  }
}

export const nodeNoticeTypes: NoticeTypes = {
  'node.offline': {
    title: 'A node is offline',
    severity: 'error',
    group: 'host',
    staff: 'nodes.view',
  },
  'node.online': {
    title: 'A node is online again',
    severity: 'info',
    group: 'host',
    staff: 'nodes.view',
  },
  'node.agent_outdated': {
    title: 'A node can get a newer agent',
    severity: 'info',
    group: 'host',
    staff: 'nodes.view',
  },
}

/** Which events become notifications, with recipients and wording. */
export const nodeNotices: Notices = {
  'node.offline': [
    {
      type: 'node.offline',
      to: () => ({ staff: 'nodes.view' }),
      notice: ({ nodeId, name, servers }) => ({
        title: `${name} is offline`,
        body: `The node has not answered for a minute. ${servers === 1 ? 'Its server is' : `Its ${servers} servers are`} shown in the last known state. No new server is placed there.`,
        link: panelPath('node', { id: nodeId }),
        groupKey: `node:${nodeId}`,
      }),
    },
  ],
  'node.online': [
    {
      type: 'node.online',
      to: () => ({ staff: 'nodes.view' }),
      notice: ({ nodeId, name }) => ({
        title: `${name} is online`,
        body: 'The node is connected again.',
        link: panelPath('node', { id: nodeId }),
        groupKey: `node:${nodeId}`,
      }),
    },
  ],
  'node.agent_outdated': [
    {
      type: 'node.agent_outdated',
      to: () => ({ staff: 'nodes.view' }),
      notice: ({ name, version, newest }) => ({
        title: `A newer agent is ready for ${name}`,
        body: `${version === newest ? 'It runs an earlier build of the agent' : `It runs the agent ${version}, and this panel has ${newest}`}. Its servers keep running while it is updated.`,
        link: panelPath('nodes'),
        groupKey: 'agents',
      }),
    },
  ],
}
