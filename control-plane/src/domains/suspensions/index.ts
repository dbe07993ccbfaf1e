export { waitingAppeals } from './hearing/answer.ts'
export { isBillingPaused } from './store.ts'
