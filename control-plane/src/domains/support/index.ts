export { openMailServer } from './inbound/smtp.ts'
