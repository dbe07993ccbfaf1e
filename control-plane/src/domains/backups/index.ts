export { describeBucket, sealedBucket } from './bucket.ts'
export {
  copyIn,
  copyOut,
  forgetCopies,
  forgetCopiesLater,
  forgetRestore,
  repositoryForMove,
  settleRestore,
  type Travelling,
} from './copies.ts'
export { createBackup } from './create.ts'
export { deleteBackup } from './delete.ts'
export {
  BackupSource,
  backUpForNode,
  dropSource,
  madeSource,
  placeFiles,
  requireReached,
  settleFiles,
  sourceOf,
} from './source.ts'
export { beyond, keptHereOnly } from './store.ts'
export { exposureOf, type Survivor, survivorsOf } from './survivor-store.ts'
