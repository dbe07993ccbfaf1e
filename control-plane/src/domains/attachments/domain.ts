import { contextFor } from '../../context.ts'
import { defineDomain } from '../../domain.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import { attachmentBudgets } from './budgets.ts'
import { deleteUnsent } from './keep.ts'

/** Files that come with messages; the domains of the messages have the endpoints. */
export const attachments = defineDomain({
  name: 'attachments',
  budgets: attachmentBudgets,
  periodic: [
    periodicTask('attachments.tidy', 3600, async (services) => ({
      deleted: await deleteUnsent(contextFor(services, { kind: 'system' })),
    })),
  ],
})
