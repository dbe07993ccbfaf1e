export { liveAccountPlans, planExists, startSubscription } from './store.ts'
