export { planListeners } from './listeners.ts'
export { planExists, planNames, startSubscription } from './store.ts'
