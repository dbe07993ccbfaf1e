import { cycleName } from '../plans/cycle-words.ts'
import { moneyText } from '../plans/price-words.ts'

export { cycleName, moneyText }

/** A day as people write it: `22 November 2026`. */
export const dayText = (at: string): string =>
  new Date(at).toLocaleDateString(undefined, { day: 'numeric', month: 'long', year: 'numeric' })
