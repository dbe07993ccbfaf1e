export { methodsOf } from './challenges.ts'
export { refreshRights, requireIdentity } from './identity.ts'
export {
  invalidLink,
  issueAccountToken,
  peekAccountToken,
  redeemAccountToken,
} from './recovery/account-tokens.ts'
export { deleteAccountTokens, deleteTransfers } from './recovery/store.ts'
export { sessionUsers } from './sessions.ts'
export { userOfToken } from './tokens.ts'
