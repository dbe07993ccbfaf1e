export { queueMail } from './outbox.ts'
export { mailArea } from './settings.ts'
