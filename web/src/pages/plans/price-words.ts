import { amountToDecimal } from '@lodge/shared/billing/money.ts'
import type { Price } from '@lodge/shared/billing/prices.ts'
import { locale } from '../../ui/locale/timestamps.ts'
import { t } from './words.ts'

function written(amount: number, currency: string, style: 'currency' | 'decimal'): string {
  const decimal = amountToDecimal(amount, currency)
  const digits = decimal.split('.')[1]?.length ?? 0
  return new Intl.NumberFormat(locale(), {
    ...{ style, currency },
    // Browsers know fewer decimals than ISO 4217 for some currencies.
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(Number(decimal))
}

/** An amount with its currency, in the reader's format: `€9.99`, `9,99 €`. */
export const moneyText = (amount: number, currency: string): string =>
  written(amount, currency, 'currency')

/** An amount without its currency, in the reader's format: `1,234.50`, `1.234,50`. */
export const amountText = (amount: number, currency: string): string =>
  written(amount, currency, 'decimal')

/** An amount and its cycle: `€9.99 monthly`. */
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
