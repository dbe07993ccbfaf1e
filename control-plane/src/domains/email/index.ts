export { handOverLink, mailPanel, queueMail } from './outbox.ts'
export { mailIsConfigured } from './settings.ts'
