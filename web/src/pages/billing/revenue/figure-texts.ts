import type { RevenuePeriod, RevenueReport } from '@lodge/shared/billing/revenue.ts'
import { numberText } from '../../../ui/data/numbers.ts'
import { dateText } from '../../../ui/locale/timestamps.ts'
import { moneyText } from '../money-words.ts'
import { t } from './words.ts'

/** An amount with its sign, as people read it. */
export const signedText = (amount: number, currency: string): string =>
  `${amount > 0 ? '+' : ''}${moneyText(amount, currency)}`

/** A share in hundredths of a per cent: `4.5%`; a dash without any. */
export const rateText = (basisPoints: number | null): string =>
  basisPoints === null ? t.none : `${numberText(basisPoints / 100)}%`

/** A date of the host, which has no time and so no zone. */
const day = (date: string, format: Intl.DateTimeFormatOptions): string =>
  dateText(date, { timeZone: 'UTC', ...format })

/** A month by its name, a week by its first and its last day. */
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
