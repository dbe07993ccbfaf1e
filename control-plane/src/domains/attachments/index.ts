export {
  attachmentsOf,
  attachStored,
  deleteAttachments,
  sendAttachment,
  sendWith,
  storeFiles,
} from './attachments.ts'
export { attachmentBudgets } from './budgets.ts'
export { attachmentBody, keepAttachment } from './keep.ts'
export { mayPassUnscanned } from './unscanned.ts'
