import { contextFor } from '../../context.ts'
import { defineDomain } from '../../domain.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import * as routes from './routes.ts'
import { sendReports } from './send.ts'

/** Usage reports to the makers of Lodge: off until somebody agrees, sealed, and shown in advance. */
export const usageReports = defineDomain({
  name: 'usage-reports',
  headings: [
    {
      name: 'Usage reporting',
      description: 'Reports to the makers of the panel, which are off until somebody agrees.',
      paths: ['/api/usage'],
    },
  ],
  routes: [routes],
  periodic: [
    periodicTask('usage.report', 300, async (services) => ({
      sent: await sendReports(contextFor(services, { kind: 'system' })),
    })),
  ],
})
