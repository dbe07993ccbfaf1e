import type { LiveSources } from '../../live/live-events.ts'
import { describeNode } from './describe.ts'
import { findNodes } from './store.ts'

declare module '../../live/announcement.ts' {
  interface Announcements {
    node: true
    'node-removed': true
    /** All servers of a node. */
    'node-servers': true
  }
}

export const announceNodes = (): LiveSources => ({
  node: {
    bulkLimit: 500,
    load: async (db, ids) =>
      (await findNodes(db, ids)).map((row) => ({
        event: 'node',
        data: describeNode(row),
        audience: { permission: 'nodes.view' },
      })),
  },
  'node-removed': {
    load: async (_db, ids) =>
      ids.map((id) => ({
        event: 'removed',
        data: { kind: 'node', id },
        audience: { permission: 'nodes.view' },
      })),
  },
})
