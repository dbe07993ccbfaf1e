export { waitingAppeals } from './hearing/answer.ts'
