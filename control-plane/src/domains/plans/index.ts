export { planExists, planNames, startSubscription } from './store.ts'
