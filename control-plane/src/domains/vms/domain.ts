import { defineDomain } from '../../domain.ts'
import { vmPeriodicTasks } from './leftovers.ts'
import { migrateSaga } from './moves/move-saga.ts'
import * as agents from './routes/agents.ts'
import * as moves from './routes/moves.ts'
import * as snapshots from './routes/snapshots.ts'
import * as routes from './routes/vms.ts'
import { snapshotNotices, snapshotNoticeTypes } from './snapshots/events.ts'
import {
  createSnapshotSaga,
  deleteSnapshotSaga,
  restoreSnapshotSaga,
} from './snapshots/snapshot-sagas.ts'

/** What only virtual machines have: disks, snapshots, screens, networks and moves. */
export const vms = defineDomain({
  name: 'vms',
  headings: [
    {
      name: 'Virtual machines',
      description: 'Disks, snapshots, screens, network and moves of one machine.',
      paths: ['/api/servers/{id}/vm'],
    },
  ],
  routes: [routes, snapshots, moves, agents],
  sagas: [createSnapshotSaga, restoreSnapshotSaga, deleteSnapshotSaga, migrateSaga],
  notifications: snapshotNotices,
  notificationTypes: snapshotNoticeTypes,
  periodic: vmPeriodicTasks,
})
