export { limitSettings } from './areas.ts'
export { type Quota, quotaOf, requireQuota } from './require.ts'
export { copiesOf, type Usage } from './usage-store.ts'
export { describeLimits, LimitsView } from './view.ts'
