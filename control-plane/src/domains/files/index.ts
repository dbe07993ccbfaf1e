export { isHost, type Reach, reachOf, requireContainer, whyHeld } from './access.ts'
export { standingNow } from './reach-now.ts'
export { archive, archivedBy, deleteByJob, deletedBy } from './work.ts'
