export { serversSeenBy } from './channels/questions.ts'
export { findWebhook, queueForChannel } from './channels/queue.ts'
