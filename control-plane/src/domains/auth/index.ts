export { authKeepers } from './keepers.ts'
export { userOfSession } from './sessions.ts'
export { userOfToken } from './tokens.ts'
