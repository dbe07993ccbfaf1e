export { copySchedules } from './copy.ts'
