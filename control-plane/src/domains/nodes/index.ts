export { requireAbility } from './abilities.ts'
export { node } from './access.ts'
export {
  type Place,
  type ReservedNode,
  reserveNode,
  resizeBeyondCapacity,
  resizeReservation,
  type Size,
} from './capacity.ts'
export { CAUGHT_UP } from './caught-up.ts'
export { describeNode, isOnline } from './describe.ts'
export { desiredNodes } from './desired.ts'
export { directWay, tellWay } from './direct-way.ts'
export { type Claim, epochsOfCredentials } from './enrollment.ts'
export {
  fencedNodes,
  fenceSilent,
  lockFence,
  setNodeFailover,
  type WatchedNode,
  watchedNodes,
} from './fence-store.ts'
export { extendLeases, forgetLonger, grantedTtlMs } from './lease-store.ts'
export { prepareLocalNode } from './local.ts'
export { isLost, LOST } from './lost-store.ts'
export { editNode } from './nodes.ts'
export { type Closed, closedNodes } from './placement.ts'
export { nodeRemoval } from './removal.ts'
export { advanceReports } from './session-store.ts'
export { type Arrival, type Beat, clockAheadMs, nodeSessions } from './sessions.ts'
export { EPOCH_LEAP, isAgentAhead } from './set-back/lineage.ts'
export {
  COMPARED,
  comparedNodes,
  latestSetBack,
  lockSetBacks,
  nodesToCompare,
  noteCompared,
} from './set-back/lineage-store.ts'
export { markOf } from './set-back/mark-of.ts'
export { agentIsAhead, hasBeenSetBack, isSafeMode, lookAtDatabase } from './set-back/watch.ts'
export { sftpOf } from './sftp.ts'
export { hasStorage, havingStorage, nameOfStorage, serversOnStorage } from './storages.ts'
export {
  declareDead,
  findNode,
  findNodes,
  joinedNodes,
  listLocations,
  lockNode,
  nodeIsOnline,
  nodesThatTake,
  vmNodes,
} from './store.ts'
export { surelyLost } from './surely-lost.ts'
export type { NodeRow } from './tables.ts'
export { editVirtualization, readVirtualization } from './virtualization.ts'
