import type { Money } from '@lodge/shared/billing/money.ts'
import { amountToDecimal } from '@lodge/shared/billing/money.ts'
import { ENGLISH } from '@lodge/shared/words/bind.ts'
import type { Reader } from '../../moment-text.ts'

/** An amount with its currency, e.g. `1234.50 EUR`, `1.234,50 EUR`. */
export function amountText(
  { amount, currency }: Money,
  { language, locale }: Pick<Reader, 'language' | 'locale'>,
): string {
  const decimal = amountToDecimal(amount, currency)
  if (language === ENGLISH) return `${decimal} ${currency}`
  const digits = decimal.split('.')[1]?.length ?? 0
  const format = new Intl.NumberFormat(locale ?? language, {
    ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
  })
  return `${format.format(Number(decimal))} ${currency}`
}
