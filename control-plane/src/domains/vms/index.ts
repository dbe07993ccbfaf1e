import { migrateSaga } from './move-saga.ts'
import { createSnapshotSaga, deleteSnapshotSaga, restoreSnapshotSaga } from './snapshot-sagas.ts'

export { vmPeriodicTasks } from './leftovers.ts'

export const vmSagas = [
  createSnapshotSaga,
  restoreSnapshotSaga,
  deleteSnapshotSaga,
  migrateSaga,
] as const
