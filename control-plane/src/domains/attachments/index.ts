export {
  attachmentBody,
  attachmentsOf,
  deleteAttachments,
  keepAttachment,
  sendAttachment,
  sendWith,
} from './attachments.ts'
export { attachmentBudgets } from './budgets.ts'
