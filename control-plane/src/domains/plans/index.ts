export { liveAccountPlans } from './store.ts'
