export { moveMachine } from './moves/migrate.ts'
export { createSnapshot, deleteSnapshot } from './snapshots/snapshots.ts'
