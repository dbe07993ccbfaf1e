import { defineDomain } from '../../domain.ts'
import { updateAgentSaga, updateAgentsSaga } from './agent-update/update-saga.ts'
import { nodeBudgets } from './budgets.ts'
import { nodeNotices, nodeNoticeTypes } from './events.ts'
import { freeImagesSaga } from './free-images.ts'
import { announceNodes } from './live.ts'
import { nodePeriodicTasks } from './periodic-tasks.ts'
import * as routes from './routes.ts'
import {
  setBackActions,
  setBackNotices,
  setBackNoticeTypes,
  setBackRecords,
} from './set-back/events.ts'

/** The machines that servers run on. */
export const nodes = defineDomain({
  name: 'nodes',
  notifications: { ...nodeNotices, ...setBackNotices },
  notificationTypes: { ...nodeNoticeTypes, ...setBackNoticeTypes },
  actions: setBackActions,
  records: setBackRecords,
  headings: [
    { name: 'Nodes', description: 'The hosts that servers run on.', paths: ['/api/nodes'] },
    {
      name: 'Agents',
      description: 'Called by the agent of a node; its credential opens nothing else.',
      paths: ['/api/agent'],
    },
  ],
  budgets: nodeBudgets,
  routes: [routes],
  sagas: [freeImagesSaga, updateAgentSaga, updateAgentsSaga],
  periodic: nodePeriodicTasks,
  live: announceNodes,
})
