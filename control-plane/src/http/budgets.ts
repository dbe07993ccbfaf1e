/** Up to `burst` at once, then one every `secondsEach`. */
export interface Rate {
  readonly secondsEach: number
  readonly burst: number
}

/** A rate limit shared by all instances. */
export interface Budget extends Rate {
  /** Begins its keys in the database, so it is unique and does not change. */
  readonly name: string
}

/** Declares the budgets of one domain, each by its name. */
export const defineBudgets = <Name extends string>(rates: Readonly<Record<Name, Rate>>) =>
  Object.fromEntries(
    Object.entries<Rate>(rates).map(([name, rate]) => [name, { name, ...rate }]),
  ) as { readonly [N in Name]: Budget }

/** The rate of one account's changes: `burst` at once, then half as many per minute. */
export const changeRate = (burst: number): Rate => ({ secondsEach: 120 / burst, burst })

export const httpBudgets = defineBudgets({
  /**
   * All changes of one account, through panel and API tokens, on top of the limits of single
   * endpoints.
   */
  change: changeRate(300),
})
