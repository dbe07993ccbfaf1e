import { dateText } from '../../ui/locale/timestamps.ts'
import { cycleName } from '../plans/cycle-words.ts'
import { amountText, moneyText, priceText } from '../plans/price-words.ts'

export { amountText, cycleName, moneyText, priceText }

/** A month such as `2028-04` in the reader's format: `April 2028`. */
export const monthText = (month: string): string =>
  dateText(`${month}-15T12:00:00Z`, { month: 'long', year: 'numeric' })

/** A day in the reader's format: `22 November 2026`. */
export const dayText = (at: string): string =>
  dateText(at, { day: 'numeric', month: 'long', year: 'numeric' })
