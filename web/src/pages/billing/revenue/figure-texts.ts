import type { RevenuePeriod, RevenueReport } from '@lodge/shared/billing/revenue.ts'
import { numberText } from '../../../ui/data/numbers.ts'
import { dateText } from '../../../ui/locale/timestamps.ts'
import { moneyText } from '../money-words.ts'
import { t } from './words.ts'

/** An amount with its sign, in the reader's format. */
export const signedText = (amount: number, currency: string): string =>
  `${amount > 0 ? '+' : ''}${moneyText(amount, currency)}`

/** A share in hundredths of a per cent: `4.5%`; a dash for none. */
export const rateText = (basisPoints: number | null): string =>
  basisPoints === null ? t.none : `${numberText(basisPoints / 100)}%`

/** A date of the host: without a time, so without a zone. */
const day = (date: string, format: Intl.DateTimeFormatOptions): string =>
  dateText(date, { timeZone: 'UTC', ...format })

/** The name of a month, or the first and the last day of a week. */
export function periodText(
  { from, to, running }: Pick<RevenuePeriod, 'from' | 'to' | 'running'>,
  by: RevenueReport['by'],
): string {
  const shown = { day: 'numeric', month: 'short' } as const
  const period =
    by === 'month'
      ? day(from, { month: 'short', year: 'numeric' })
      : t.span({ from: day(from, shown), to: day(to, shown) })
  return running ? t.soFar({ period }) : period
}
