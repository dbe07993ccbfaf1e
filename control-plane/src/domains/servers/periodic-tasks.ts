import { contextFor } from '../../context.ts'
import { periodicTask, watcher } from '../../jobs/periodic-task.ts'
import { recheckConsoles } from './console.ts'
import { deleteDue } from './self-service.ts'
import { mailInvitations } from './sharing/accept.ts'
import { deleteExpiredInvitations, UNMAILED } from './sharing/store.ts'
import { deleteOldEvents, deleteStaleTickets } from './store.ts'
import { waitingStarts } from './waiting-start.ts'

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
