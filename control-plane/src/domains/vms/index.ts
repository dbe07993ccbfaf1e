export { createSnapshot, deleteSnapshot } from './snapshots/snapshots.ts'
