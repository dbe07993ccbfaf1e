import { periodicTask } from '../../jobs/periodic-task.ts'
import { keepPartitions } from './partitions.ts'
import { rollUp } from './rollup.ts'
import { sweepServerUsage } from './store.ts'

export const metricsPeriodicTasks = [
  periodicTask('metrics.partitions', 3600, ({ db }) => keepPartitions(db, new Date())),
  periodicTask('metrics.usage', 3600, async ({ db }) => ({ swept: await sweepServerUsage(db) })),
  periodicTask('metrics.rollup', 30, ({ db }) => rollUp(db, new Date())),
]
