export { handOverLink, queueMail } from './outbox.ts'
