import { amountToDecimal } from '@lodge/shared/billing/money.ts'
import type { Price } from '@lodge/shared/billing/prices.ts'
import { locale } from '../../ui/data/timestamps.ts'
import { t } from './words.ts'

/** An amount with its currency, as the reader writes it: `€9.99`, `9,99 €`. */
export function moneyText(amount: number, currency: string): string {
  const decimal = amountToDecimal(amount, currency)
  const digits = decimal.split('.')[1]?.length ?? 0
  return new Intl.NumberFormat(locale(), {
    style: 'currency',
    currency,
    // Browsers know fewer decimals than ISO 4217 for some currencies.
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(Number(decimal))
}

/** How much is paid, and how often: `€9.99 monthly`. */
export const priceText = ({
  amount,
  currency,
  cycle,
}: Pick<Price, 'amount' | 'currency' | 'cycle'>): string =>
  t.priceIs({ price: moneyText(amount, currency), cycle })

const SHOWN = 2

/** The first prices of a plan in words: `€9.99 monthly and 2 more`. */
export function pricesSummary(prices: readonly Price[]): string {
  if (prices.length === 0) return t.noPrice
  const shown = prices.slice(0, SHOWN).map(priceText).join(', ')
  const count = prices.length - SHOWN
  return count > 0 ? t.andMore({ limits: shown, count }) : shown
}
