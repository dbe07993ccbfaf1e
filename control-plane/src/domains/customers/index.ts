export { customer } from './access.ts'
export { asActor, restrictionOf } from './as-actor.ts'
export { emailTaken } from './email-taken.ts'
export {
  deleteExpiredFormerAddresses,
  findFormerAddress,
  insertFormerAddress,
  isReserved,
  takeFormerAddress,
} from './former-address-store.ts'
export { nameOfInviter } from './inviter.ts'
export { hashPassword, passwordMatches } from './passwords.ts'
export { serversOwned } from './questions.ts'
export {
  anyAdministrator,
  customersAmong,
  emailsOf,
  findUser,
  findUserByEmail,
  findUsersByEmail,
  insertUser,
  lockOwner,
  setPreferences,
  updateUser,
} from './store.ts'
export type { UserRow } from './tables.ts'
