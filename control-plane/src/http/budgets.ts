/** At most `burst` at once, then one each `secondsEach`. */
export interface Rate {
  readonly secondsEach: number
  readonly burst: number
}

/** The rate of changes by one account: so many at once, then half as many a minute. */
export const changeRate = (burst: number): Rate => ({ secondsEach: 120 / burst, burst })

/** Budgets that all instances share. */
export const BUDGETS = {
  /** All changes by one account, in the panel and by its API tokens, beside what single endpoints allow. */
  change: changeRate(300),
  signIn: { secondsEach: 60, burst: 10 },
  signInAccount: { secondsEach: 180, burst: 20 },
  /** Beside that of the account, for a browser in which it was signed in to. */
  signInDevice: { secondsEach: 600, burst: 10 },
  challenge: { secondsEach: 6, burst: 60 },
  bootstrap: { secondsEach: 360, burst: 10 },
  enroll: { secondsEach: 360, burst: 10 },
  consoleTicket: { secondsEach: 2, burst: 30 },
  password: { secondsEach: 60, burst: 10 },
  testMail: { secondsEach: 12, burst: 5 },
  forgot: { secondsEach: 360, burst: 10 },
  forgotAccount: { secondsEach: 1200, burst: 3 },
  recoverAccount: { secondsEach: 90, burst: 10 },
  redeem: { secondsEach: 360, burst: 10 },
  invite: { secondsEach: 60, burst: 30 },
  register: { secondsEach: 720, burst: 5 },
} as const satisfies Readonly<Record<string, Rate>>
export type Budget = keyof typeof BUDGETS
