/** Up to `burst` at once, then one every `secondsEach`. */
export interface Rate {
  readonly secondsEach: number
  readonly burst: number
}

/** The rate of one account's changes: `burst` at once, then half as many per minute. */
export const changeRate = (burst: number): Rate => ({ secondsEach: 120 / burst, burst })

/** Rate limits shared by all instances. */
export const BUDGETS = {
  /**
   * All changes of one account, through panel and API tokens, on top of the limits of single
   * endpoints.
   */
  change: changeRate(300),
  signIn: { secondsEach: 60, burst: 10 },
  signInAccount: { secondsEach: 180, burst: 20 },
  /** In addition to the account's budget, for a browser that has signed in to it before. */
  signInDevice: { secondsEach: 600, burst: 10 },
  challenge: { secondsEach: 6, burst: 60 },
  bootstrap: { secondsEach: 360, burst: 10 },
  enroll: { secondsEach: 360, burst: 10 },
  consoleTicket: { secondsEach: 2, burst: 30 },
  password: { secondsEach: 60, burst: 10 },
  testMail: { secondsEach: 12, burst: 5 },
  forgot: { secondsEach: 360, burst: 10 },
  forgotAccount: { secondsEach: 1200, burst: 3 },
  redeem: { secondsEach: 360, burst: 10 },
  invite: { secondsEach: 60, burst: 30 },
  register: { secondsEach: 720, burst: 5 },
} as const satisfies Readonly<Record<string, Rate>>
export type Budget = keyof typeof BUDGETS
