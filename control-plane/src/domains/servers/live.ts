import type { Db } from '../../db/database.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { LiveSources, Loaded } from '../../live/live-events.ts'
import type { Services } from '../../services.ts'
import { rightsMark } from './access/rights.ts'
import { collaboratorsOf, findRights } from './access/store.ts'
import { changedMark } from './labels/marks.ts'
import {
  describeServer,
  findView,
  findViews,
  findViewsOfNode,
  type ServerView,
} from './view/view.ts'

declare module '../../live/announcement.ts' {
  interface Announcements {
    server: true
    'server-removed': true
    /** `<server id>:<user id>` of somebody whose rights on the server changed. */
    'server-access': true
    /** `<server id>:<user id>` of somebody who has changed their mark on the server. */
    'server-mark': true
  }
}

async function loaded(db: Db, rows: readonly ServerView[]): Promise<Loaded[]> {
  const others = await collaboratorsOf(
    db,
    rows.map((row) => row.id),
  )
  return rows.map((row) => ({
    event: 'server',
    data: describeServer(row),
    audience: { userIds: [row.ownerId, ...(others.get(row.id) ?? [])], permission: 'servers.view' },
  }))
}

export const announceServers = ({ fleet }: Services): LiveSources => ({
  server: { bulkLimit: 500, load: async (db, ids) => loaded(db, await findViews(db, ids)) },
  'node-servers': {
    bulkLimit: 50,
    load: async (db, ids) =>
      loaded(db, (await Promise.all(ids.map((id) => findViewsOfNode(db, id)))).flat()),
  },
  'server-removed': {
    load: async (_db, ids) =>
      ids.map((id) => ({
        event: 'removed',
        data: { kind: 'server', id },
        audience: { everyone: true },
      })),
  },
  'server-mark': {
    load: async (db, ids) => (await Promise.all(ids.map((id) => changedMark(db, id)))).flat(),
  },
  'server-access': {
    load: async (db, ids) =>
      (await Promise.all(ids.map((id) => accessChanged(db, fleet, id)))).flat(),
  },
})

/** Somebody's rights on a server changed: closes their consoles and updates their panel. */
async function accessChanged(db: Db, fleet: Fleet, id: string): Promise<Loaded[]> {
  const [serverId = '', userId = ''] = id.split(':')
  const rights = await findRights(db, serverId, userId)
  fleet.closeRelays({ userKey: userId, serverId, rightsNow: rights ? rightsMark(rights) : null })
  const audience = { userIds: [userId] }
  const view = rights && (await findView(db, serverId))
  if (!view) return [{ event: 'removed', data: { kind: 'server', id: serverId }, audience }]
  return [
    { event: 'server', data: describeServer(view), audience },
    { event: 'rights', data: { serverId, ...rights }, audience },
  ]
}
