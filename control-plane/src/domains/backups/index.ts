export { describeBucket, sealedBucket } from './bucket.ts'
export { createBackup } from './create.ts'
export { deleteBackup } from './delete.ts'
