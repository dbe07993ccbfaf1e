export {
  attachmentBody,
  attachmentsOf,
  attachStored,
  deleteAttachments,
  keepAttachment,
  sendAttachment,
  sendWith,
  storeFiles,
} from './attachments.ts'
export { attachmentBudgets } from './budgets.ts'
