export { lackingOnNode, requireOnNode } from './abilities.ts'
export { aboutServer } from './about.ts'
export {
  loadServer,
  permits,
  requireRight,
  type SharedServer,
  server,
} from './access/access.ts'
export { rightsMark, rightsOf } from './access/rights.ts'
export { findRights, whoSees } from './access/store.ts'
export { serverBudgets } from './budgets.ts'
export { createTicket, readLogs, requireCommandable, requireNode } from './console/console.ts'
export { announceDesired, changeDesired, oneMoreRunning } from './desired-state/desired-state.ts'
export { lastEventKinds, newestEvents } from './event-store.ts'
export {
  type FailoverStand,
  followNodeMode,
  MODE_IN_FORCE,
  movableServers,
  unguardedMachines,
  updateFailoverMode,
} from './failover-store.ts'
export { hasHold } from './hold-store.ts'
export { cancelDeletionsOf, scheduleDeletionsOf } from './lifecycle/account-deletion.ts'
export { createServer } from './lifecycle/create.ts'
export {
  type Deleter,
  deletePlanServer,
  freePlanServer,
  joinPlanServer,
  liftPlanServer,
  suspendPlanServer,
  takeOverServer,
} from './lifecycle/plan-server.ts'
export { removeFromLost, removeFromNode } from './lifecycle/remove.ts'
export { fitsOnDisk, resizePlanServer, sizeWithPlan } from './lifecycle/resize-plan-server.ts'
export {
  giveUpMove,
  isGivenUp,
  isPlaceLost,
  isSourceLost,
  leadBack,
  leaveToStorage,
  leftBehind,
  requirePlace,
  SOURCE_LOST,
  TARGET_LOST,
  tellGivenUp,
  unlessAway,
} from './lost-target.ts'
export { keepMachinePlace } from './machine/keep-place.ts'
export { keptAddresses } from './machine/kept-addresses.ts'
export { openAddress } from './machine/place.ts'
export { findSource, NO_LIMITS, seedOf, tooSmall, totalMb } from './machine/shape.ts'
export {
  findMachine,
  leaseAddress,
  leasedAddress,
  releaseAddress,
  updateMachine,
} from './machine/store.ts'
export type { MachineRow } from './machine/tables.ts'
export { newsOf, type ServerNews } from './news/news.ts'
export { nodeSchedules, runsOfNode } from './node-schedules.ts'
export { discardOf, onPlace, taskOf } from './on-place.ts'
export {
  beginHold,
  beginOperation,
  byNode,
  bySaga,
  endOperation,
  type HeldServer,
  holdServer,
  type Operation,
  operate,
} from './operation.ts'
export {
  type LeftPart,
  notePart,
  partsLeft,
  partsLeftOf,
  requireNothingLeft,
  whyFilesLeft,
  whyPartLeft,
} from './parts-left.ts'
export { listPorts } from './port-store.ts'
export { byOffset, movePortsTo, type PortsByOffset, portsAt } from './ports/ports-at.ts'
export { liftSuspensionsOf, suspendServersOf } from './power/account-suspension.ts'
export { type BackupAction, backupAction } from './power/backup-action.ts'
export { act } from './power/power.ts'
export { fleetHandlers } from './reports/fleet-handlers.ts'
export { countFindings } from './set-back/findings-store.ts'
export { reserveForCopies } from './settings/copies-disk.ts'
export { allVariables } from './spec/sealed.ts'
export { respec, specAt } from './spec/spec.ts'
export {
  actsForHost,
  hereNow,
  otherPlaces,
  placesHere,
  type StorageChange,
  storageChange,
  whyFormerCopy,
  whyNoChange,
  whyNoCopy,
  whyNotHere,
} from './storage-change.ts'
export {
  changesStorage,
  claimStorageCopies,
  copiesOnStorages,
  type DueCopy,
  deleteStorageCopy,
  endClaim,
  forgetStorageCopy,
  insertStorageCopy,
  isChangingStorage,
  keepOutOfReach,
  keptFrom,
  listStorageCopies,
  lockStorageCopy,
  renewClaim,
  type StorageCopyListed,
  updateStorageCopy,
} from './storage-copies/copies-store.ts'
export {
  findServer,
  idOfSubscription,
  lockServer,
  NO_OBSERVATION,
  serversOfSubscriptions,
} from './store.ts'
export type { PortRow, ServerRow } from './tables.ts'
export { ENDED_WELL } from './view/ended-well-store.ts'
export { findView, findViews, type ServerView, statusOf } from './view/view.ts'
