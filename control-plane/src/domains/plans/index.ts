export { planExists, startSubscription } from './store.ts'
