import type { LiveEvents, Loaded } from '../../live/live-events.ts'
import { describeServer, findViews, findViewsOfNode, type ServerView } from './view.ts'

const loaded = (row: ServerView): Loaded => ({
  event: 'server',
  data: describeServer(row),
  audience: { userIds: [row.ownerId], permission: 'servers.view' },
})

export function announceServers(live: LiveEvents): void {
  live.register('server', async (db, ids) => (await findViews(db, ids)).map(loaded))
  live.register('node-servers', async (db, ids) =>
    (await Promise.all(ids.map((id) => findViewsOfNode(db, id)))).flat().map(loaded),
  )
  live.register('server-removed', async (_db, ids) =>
    ids.map((id) => ({
      event: 'removed',
      data: { kind: 'server', id },
      audience: { everyone: true },
    })),
  )
}
