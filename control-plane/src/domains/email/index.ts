export { handOverLink, mailPanel, queueMail } from './outbox.ts'
export { mailIsConfigured } from './settings.ts'
export { type MailTrouble, mailTrouble } from './trouble.ts'
