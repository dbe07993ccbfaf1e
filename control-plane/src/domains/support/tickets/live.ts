import type { Db } from '../../../db/database.ts'
import type { LiveSources, Loaded } from '../../../live/live-events.ts'
import { agentsById } from '../categories/agents-store.ts'
import { listPeople } from './people-store.ts'

declare module '../../../live/announcement.ts' {
  interface Announcements {
    /** A change that customers see. */
    ticket: true
    /** A change of the staff alone: nothing of it reaches customers, not even that it happened. */
    'ticket-inside': true
    'ticket-removed': true
    /** `<ticket id>:<user id>:<what they do there>` of somebody of the staff. */
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

/** Who of the staff looks at a ticket or answers it; nothing of it is kept. */
async function present(db: Db, ids: readonly string[]): Promise<Loaded[]> {
  const told = ids.map((id) => id.split(':'))
  const agents = await agentsById(
    db,
    told.map(([, userId = '']) => userId),
  )
  return told.flatMap(([id, userId = '', state]) => {
    const agent = agents.get(userId)
    if (!agent) return []
    return {
      ...{ event: 'ticket-presence', data: { id, agent, state } },
      ...{ audience: { permission: 'support.view' as const }, passing: true },
    }
  })
}
