import { contextFor } from '../../context.ts'
import { defineDomain } from '../../domain.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import { attachmentBudgets } from './budgets.ts'
import './events.ts'
import { deleteUnsent } from './keep.ts'
import { scanAttachments } from './scan.ts'

/** Files that come with messages; the domains of the messages have the endpoints. */
export const attachments = defineDomain({
  name: 'attachments',
  budgets: attachmentBudgets,
  periodic: [
    scanAttachments,
    periodicTask('attachments.tidy', 3600, async (services) => ({
      deleted: await deleteUnsent(contextFor(services, { kind: 'system' })),
    })),
  ],
})
