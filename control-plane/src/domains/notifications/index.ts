export { serversSeenBy } from './channels/questions.ts'
