import type { Db } from '../../../db/database.ts'
import type { LiveSources, Loaded } from '../../../live/live-events.ts'
import { listPeople } from './people-store.ts'

declare module '../../../live/announcement.ts' {
  interface Announcements {
    /** A change that customers see. */
    ticket: true
    /** A change of the staff alone: nothing of it reaches customers, not even that it happened. */
    'ticket-inside': true
  }
}

async function changed(db: Db, ids: readonly string[]): Promise<Loaded[]> {
  const people = await listPeople(db, ids)
  return ids.map((id) => ({
    event: 'ticket',
    data: { id },
    audience: { userIds: people.get(id) ?? [], permission: 'support.view' },
  }))
}

export const announceTickets = (): LiveSources => ({
  ticket: { bulkLimit: 200, load: changed },
  'ticket-inside': {
    bulkLimit: 200,
    load: async (_db, ids) =>
      ids.map((id) => ({
        event: 'ticket',
        data: { id },
        audience: { permission: 'support.view' },
      })),
  },
})
