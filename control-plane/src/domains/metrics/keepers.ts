import { keeper } from '../../jobs/keeper.ts'
import { keepPartitions } from './partitions.ts'
import { rollUp } from './rollup.ts'
import { sweepServerUsage } from './store.ts'

export const metricsKeepers = [
  keeper('metrics.partitions', 3600, ({ db }) => keepPartitions(db, new Date())),
  keeper('metrics.usage', 3600, async ({ db }) => ({ swept: await sweepServerUsage(db) })),
  keeper('metrics.rollup', 30, ({ db }) => rollUp(db, new Date())),
]
