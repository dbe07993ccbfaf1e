export { type SharedServer, server } from './access.ts'
export { createTicket, requireNode } from './console.ts'
export { reserveForCopies } from './copies-disk.ts'
export { announceDesired, changeDesired, oneMoreRunning } from './desired-state.ts'
export { ENDED_WELL } from './ended-well-store.ts'
export { fleetHandlers } from './fleet-handlers.ts'
export { freePorts } from './free-ports.ts'
export { findSource, NO_LIMITS, seedOf, tooSmall, totalMb } from './machine/shape.ts'
export {
  findMachine,
  freeAddress,
  leaseAddress,
  leasedAddress,
  releaseAddress,
  updateMachine,
} from './machine/store.ts'
export type { MachineRow } from './machine/tables.ts'
export {
  beginOperation,
  byNode,
  bySaga,
  endOperation,
  type HeldServer,
  holdServer,
  type Operation,
  operate,
} from './operation.ts'
export { respec } from './spec.ts'
export {
  findServer,
  listPorts,
  lockServer,
  movePort,
  usedPorts,
} from './store.ts'
export type { PortRow, ServerRow } from './tables.ts'
export { findView, type ServerView, statusOf } from './view.ts'
