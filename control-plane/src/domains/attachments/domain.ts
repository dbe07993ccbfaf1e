import { contextFor } from '../../context.ts'
import { defineDomain } from '../../domain.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import { attachmentBudgets } from './budgets.ts'
import { attachmentNotices, attachmentNoticeTypes } from './events.ts'
import { deleteUnsent } from './keep.ts'
import { insertMissing } from './previews/preview-store.ts'
import { drawPreviews } from './previews/previews.ts'
import { scanAttachments } from './scan.ts'

/** Files that come with messages; the domains of the messages have the endpoints. */
export const attachments = defineDomain({
  name: 'attachments',
  budgets: attachmentBudgets,
  notifications: attachmentNotices,
  notificationTypes: attachmentNoticeTypes,
  periodic: [
    scanAttachments,
    drawPreviews,
    periodicTask('attachments.find_previews', 3600, async ({ db }) => ({
      found: await insertMissing(db),
    })),
    periodicTask('attachments.tidy', 3600, async (services) => ({
      deleted: await deleteUnsent(contextFor(services, { kind: 'system' })),
    })),
  ],
})
