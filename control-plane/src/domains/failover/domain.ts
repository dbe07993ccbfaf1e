import { defineDomain } from '../../domain.ts'
import { coordinate } from './coordinate.ts'
import { failoverAnswers, failoverListeners, failoverPeriodicTasks } from './copies.ts'
import { failoverNotices, failoverNoticeTypes } from './events.ts'
import { fenceAsked } from './fencing/fence.ts'
import * as routes from './routes.ts'
import { runSaga } from './run-saga.ts'
import { serverSaga } from './server-saga.ts'

/** Brings servers of lost nodes back on other nodes. */
export const failover = defineDomain({
  name: 'failover',
  headings: [
    {
      name: 'Failover',
      description: 'What the loss of a node costs, and its servers brought back elsewhere.',
      paths: ['/api/failover'],
    },
  ],
  routes: [routes],
  notifications: failoverNotices,
  notificationTypes: failoverNoticeTypes,
  listeners: failoverListeners,
  answers: failoverAnswers,
  sagas: [runSaga, serverSaga],
  periodic: [...failoverPeriodicTasks, coordinate, fenceAsked],
})
