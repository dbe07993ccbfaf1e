export { queueMail } from './outbox.ts'
