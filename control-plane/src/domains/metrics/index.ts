export { createIntake, type Intake } from './ingest.ts'
export { metricsKeepers } from './keepers.ts'
export { registerUsage } from './live.ts'
export { keepPartitions } from './partitions.ts'
