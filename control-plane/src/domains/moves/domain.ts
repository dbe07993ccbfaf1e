import { defineDomain } from '../../domain.ts'
import { evacuateSaga } from './evacuations/evacuate-saga.ts'
import { evacuationNotices, evacuationNoticeTypes } from './evacuations/events.ts'
import * as evacuations from './evacuations/routes.ts'
import { movePeriodicTasks } from './leftovers.ts'
import { lostTargets } from './lost-targets.ts'
import { moveSaga } from './move-saga.ts'
import { olderCopyNotices, olderCopyNoticeTypes } from './older-copy.ts'
import * as routes from './routes.ts'
import { storagePeriodicTasks } from './storage-copies.ts'
import { storageSaga } from './storage-saga.ts'

/** Moves servers between nodes. */
export const moves = defineDomain({
  name: 'moves',
  headings: [
    {
      name: 'Moves',
      description: 'Servers that change their node.',
      paths: [
        '/api/servers/{id}/migrate',
        '/api/servers/{id}/migration-targets',
        '/api/servers/{id}/take-copy',
        '/api/nodes/{id}/evacuate',
        '/api/nodes/{id}/evacuation',
        '/api/nodes/{id}/storage-copies/{serverId}',
      ],
    },
  ],
  routes: [routes, evacuations],
  sagas: [moveSaga, storageSaga, evacuateSaga],
  notifications: { ...evacuationNotices, ...olderCopyNotices },
  notificationTypes: { ...evacuationNoticeTypes, ...olderCopyNoticeTypes },
  periodic: [...movePeriodicTasks, ...storagePeriodicTasks, lostTargets],
})
