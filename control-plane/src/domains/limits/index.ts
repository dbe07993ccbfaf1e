export { limitSettings } from './areas.ts'
export { requireRoom, roomOf, standingOf } from './require.ts'
export type { Usage } from './usage-store.ts'
export { describeLimits, LimitsView } from './view.ts'
