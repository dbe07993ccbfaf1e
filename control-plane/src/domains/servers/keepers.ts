import { keeper } from '../../jobs/keeper.ts'
import { deleteOldEvents, deleteStaleTickets } from './store.ts'

export const serverKeepers = [
  keeper('servers.tidy', 600, async ({ db }) => ({
    tickets: await deleteStaleTickets(db),
    events: await deleteOldEvents(db),
  })),
]
