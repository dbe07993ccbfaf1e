import { defineBudgets } from '../../http/budgets.ts'

/** Limits on attempts to sign in, prove one's identity or request a link. */
export const authBudgets = defineBudgets({
  signIn: { secondsEach: 60, burst: 10 },
  signInAccount: { secondsEach: 180, burst: 20 },
  /** In addition to the account's budget, for a browser that has signed in to it before. */
  signInDevice: { secondsEach: 600, burst: 10 },
  challenge: { secondsEach: 6, burst: 60 },
  bootstrap: { secondsEach: 360, burst: 10 },
  password: { secondsEach: 60, burst: 10 },
  forgot: { secondsEach: 360, burst: 10 },
  forgotAccount: { secondsEach: 1200, burst: 3 },
  redeem: { secondsEach: 360, burst: 10 },
  invite: { secondsEach: 60, burst: 30 },
})
