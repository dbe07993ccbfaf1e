import { contextFor } from '../../context.ts'
import { periodicTask, watcher } from '../../jobs/periodic-task.ts'
import { mailInvitations } from './access/accept.ts'
import { deleteExpiredInvitations, UNMAILED } from './access/store.ts'
import { recheckConsoles } from './console/console.ts'
import { deleteOldEvents } from './event-store.ts'
import { deleteDue } from './lifecycle/self-service.ts'
import { waitingStarts } from './power/waiting-start.ts'
import { deleteStaleTickets } from './ticket-store.ts'

export const serverPeriodicTasks = [
  periodicTask('servers.delete_due', 30, async (services) => ({
    deleted: await deleteDue(services),
  })),
  periodicTask('consoles.recheck', 10, async (services) => ({
    ended: await recheckConsoles(services),
  })),
  watcher('servers.invitations', UNMAILED, async (services) => ({
    mailed: await mailInvitations(contextFor(services, { kind: 'system' })),
  })),
  waitingStarts,
  periodicTask('servers.tidy', 600, async ({ db }) => ({
    tickets: await deleteStaleTickets(db),
    invitations: await deleteExpiredInvitations(db),
    events: await deleteOldEvents(db),
  })),
]
