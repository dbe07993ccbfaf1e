import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Notices, NoticeTypes } from '../../events/notices.ts'
import { wordsFor } from '../../said-in.ts'
import { t } from './words.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** A node has sent nothing for a minute. */
    'node.offline': { nodeId: string; name: string; servers: number }
    'node.online': { nodeId: string; name: string }
    /** The panel hands out a newer agent than the one of the node. */
    'node.agent_outdated': { nodeId: string; name: string; version: string; newest: string }
    /** Little room is left on a node; percentages of its capacity that are allocated. */
    'node.capacity_low': {
      nodeId: string
      name: string
      memory: number
      cpu: number
      disk: number
    }
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
  'node.capacity_low': {
    title: 'Little room is left on a node',
    severity: 'warn',
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
      notice: ({ nodeId, name, servers }, reader) => ({
        title: wordsFor(t, reader).offline({ node: name }),
        body: wordsFor(t, reader).offlineBody({ servers }),
        link: panelPath('node', { id: nodeId }),
        groupKey: `node:${nodeId}`,
      }),
    },
  ],
  'node.online': [
    {
      type: 'node.online',
      to: () => ({ staff: 'nodes.view' }),
      notice: ({ nodeId, name }, reader) => ({
        title: wordsFor(t, reader).online({ node: name }),
        body: wordsFor(t, reader).onlineBody,
        link: panelPath('node', { id: nodeId }),
        groupKey: `node:${nodeId}`,
      }),
    },
  ],
  'node.agent_outdated': [
    {
      type: 'node.agent_outdated',
      to: () => ({ staff: 'nodes.view' }),
      notice: ({ name, version, newest }, reader) => ({
        title: wordsFor(t, reader).newerAgent({ node: name }),
        body:
          version === newest
            ? wordsFor(t, reader).earlierBuild
            : wordsFor(t, reader).earlierVersion({ version, newest }),
        link: panelPath('nodes'),
        groupKey: 'agents',
      }),
    },
  ],
  'node.capacity_low': [
    {
      type: 'node.capacity_low',
      to: () => ({ staff: 'nodes.view' }),
      notice: ({ nodeId, name, ...room }, reader) => ({
        title: wordsFor(t, reader).littleRoom({ node: name }),
        body: wordsFor(t, reader).littleRoomBody(room),
        link: panelPath('node', { id: nodeId }),
        groupKey: `node.capacity_low:${nodeId}`,
      }),
    },
  ],
}
