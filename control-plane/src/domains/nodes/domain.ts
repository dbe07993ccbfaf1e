import { defineDomain } from '../../domain.ts'
import { freeImagesSaga } from './free-images.ts'
import { announceNodes } from './live.ts'
import { nodePeriodicTasks } from './periodic-tasks.ts'
import * as routes from './routes.ts'

/** The hosts that servers run on. */
export const nodes = defineDomain({
  name: 'nodes',
  routes: [routes],
  sagas: [freeImagesSaga],
  periodic: nodePeriodicTasks,
  live: announceNodes,
})
