export { emailKeepers } from './keepers.ts'
export { emailListeners } from './listeners.ts'
export { queueMail } from './outbox.ts'
export { mailArea } from './settings.ts'
