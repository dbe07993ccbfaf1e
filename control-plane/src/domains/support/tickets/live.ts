import type { Db } from '../../../db/database.ts'
import type { LiveSources, Loaded } from '../../../live/live-events.ts'
import { agentsById } from '../categories/agents-store.ts'
import { listPeople } from './people-store.ts'

declare module '../../../live/announcement.ts' {
  interface Announcements {
    /** A change that customers see. */
    ticket: true
    /** A change for staff only: customers do not even learn that it happened. */
    'ticket-inside': true
    'ticket-removed': true
    /** `<ticket id>:<user id>:<activity>` of a staff member. */
    'ticket-presence': true
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
  'ticket-removed': {
    load: async (_db, ids) =>
      ids.map((id) => ({
        ...{ event: 'removed', data: { kind: 'ticket', id } },
        audience: { everyone: true },
      })),
  },
  'ticket-presence': { bulkLimit: 200, load: present },
})

/** Which staff are viewing or answering a ticket; nothing of it is stored. */
async function present(db: Db, ids: readonly string[]): Promise<Loaded[]> {
  const changes = ids.map((id) => id.split(':'))
  const agents = await agentsById(
    db,
    changes.map(([, userId = '']) => userId),
  )
  return changes.flatMap(([id, userId = '', state]) => {
    const agent = agents.get(userId)
    if (!agent) return []
    return {
      ...{ event: 'ticket-presence', data: { id, agent, state } },
      ...{ audience: { permission: 'support.view' as const }, passing: true },
    }
  })
}
