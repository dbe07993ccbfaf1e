export { createIntake, type Intake } from './ingest.ts'
export { registerUsage } from './live.ts'
export { keepPartitions } from './partitions.ts'
export { metricsPeriodicTasks } from './periodic-tasks.ts'
