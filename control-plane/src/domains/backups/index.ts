export { describeBucket, sealedBucket } from './bucket.ts'
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
