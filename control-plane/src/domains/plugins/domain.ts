import { defineDomain } from '../../domain.ts'
import { pluginBudgets } from './budgets.ts'
import { pluginListeners, tellPlugins } from './deliveries.ts'
import { pluginActions, pluginNotices, pluginNoticeTypes, pluginRecords } from './events.ts'
import { ownProcesses } from './host/own.ts'
import { keepRunning } from './keep-running.ts'
import { announcePages } from './live.ts'
import { tellOfUpdates } from './newer.ts'
import * as routes from './routes.ts'

/** Third-party packages that run beside Lodge, each in its own sandbox. */
export const plugins = defineDomain({
  name: 'plugins',
  headings: [
    {
      name: 'Plugins',
      description:
        'Packages that add to the panel, each in a process without network, files or secrets.',
      paths: ['/api/plugins'],
    },
  ],
  routes: [routes],
  budgets: pluginBudgets,
  listeners: pluginListeners,
  notifications: pluginNotices,
  notificationTypes: pluginNoticeTypes,
  actions: pluginActions,
  records: pluginRecords,
  live: announcePages,
  periodic: [keepRunning, tellPlugins, tellOfUpdates],
  async start(ctx) {
    ownProcesses(ctx)
  },
})
