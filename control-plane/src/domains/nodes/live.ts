import type { LiveEvents } from '../../live/live-events.ts'
import { describeNode } from './describe.ts'
import { findNodes } from './store.ts'

export function announceNodes(live: LiveEvents): void {
  live.register('node', async (db, ids) =>
    (await findNodes(db, ids)).map((row) => ({
      event: 'node',
      data: describeNode(row),
      audience: { permission: 'nodes.view' },
    })),
  )
  live.register('node-removed', async (_db, ids) =>
    ids.map((id) => ({
      event: 'removed',
      data: { kind: 'node', id },
      audience: { permission: 'nodes.view' },
    })),
  )
}
