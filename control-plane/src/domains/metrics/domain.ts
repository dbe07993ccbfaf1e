import { defineDomain } from '../../domain.ts'
import { announceUsage } from './live.ts'
import { keepPartitions } from './partitions.ts'
import { metricsPeriodicTasks } from './periodic-tasks.ts'
import * as routes from './routes.ts'
import { serverFigures } from './server-figures.ts'

/** Figures of servers and nodes over time. */
export const metrics = defineDomain({
  name: 'metrics',
  routes: [routes],
  periodic: metricsPeriodicTasks,
  live: announceUsage,
  figures: serverFigures,
  // Figures of a day are refused until its partition exists.
  prepare: (db) => keepPartitions(db, new Date()),
})
