export {
  attachmentsOf,
  attachStored,
  deleteAttachments,
  type StoredFile,
  sendAttachment,
  sendWith,
  storeFiles,
  storeStream,
} from './attachments.ts'
export { attachmentBudgets } from './budgets.ts'
export { attachmentBody, keepAttachment } from './keep.ts'
export { filesWithRoom, giveOwner } from './room.ts'
export { mayPassUnscanned } from './unscanned.ts'
