export { emailListeners } from './listeners.ts'
export { queueMail } from './outbox.ts'
export { emailPeriodicTasks } from './periodic-tasks.ts'
export { mailArea } from './settings.ts'
