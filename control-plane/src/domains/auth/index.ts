export { authKeepers } from './keepers.ts'
export { userOfSession } from './sessions.ts'
