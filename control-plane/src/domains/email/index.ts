export { handOverLink, mailPanel, queueMail } from './outbox.ts'
