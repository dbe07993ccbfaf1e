export { authBudgets } from './budgets.ts'
export { closeConnections, endCredentials, endSessions } from './end-access.ts'
export { methodsOf } from './factors/challenges.ts'
export { removeEvery as removeEveryFactor } from './factors/factors.ts'
export {
  invalidLink,
  issueAccountToken,
  peekAccountToken,
  redeemAccountToken,
} from './links/account-tokens.ts'
export { deleteAccountTokens, deleteTransfers } from './links/store.ts'
export { panelName } from './questions.ts'
export { makePasswordLink, removeLostFactors } from './recovery/by-command.ts'
export { sessionUsers } from './sessions/sessions.ts'
export { refreshRights, requireIdentity } from './sign-in/identity.ts'
export { userOfToken } from './tokens/tokens.ts'
