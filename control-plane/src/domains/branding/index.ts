export { lookOfMails } from './name.ts'
