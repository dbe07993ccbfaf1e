import { amountToDecimal } from '@lodge/shared/billing/money.ts'
import type { Price } from '@lodge/shared/billing/prices.ts'
import { cycleName } from './cycle-words.ts'
import { t } from './words.ts'

/** An amount with its currency, as people read it: `9.99 EUR`. */
export const moneyText = (amount: number, currency: string): string =>
  `${amountToDecimal(amount, currency)} ${currency}`

const SHOWN = 2

/** The first prices of a plan in words: `9.99 EUR monthly and 2 more`. */
export function pricesSummary(prices: readonly Price[]): string {
  if (prices.length === 0) return t.noPrice
  const shown = prices
    .slice(0, SHOWN)
    .map(({ amount, currency, cycle }) =>
      t.priceIs({ price: moneyText(amount, currency), cycle: cycleName(cycle).toLowerCase() }),
    )
    .join(', ')
  const count = prices.length - SHOWN
  return count > 0 ? t.andMore({ limits: shown, count }) : shown
}
