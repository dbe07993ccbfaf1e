export { whyNotChangeable } from './changeable.ts'
export { moveMachine } from './moves/migrate.ts'
export { migrationTargets } from './moves/targets.ts'
export { createSnapshot, deleteSnapshot } from './snapshots/snapshots.ts'
