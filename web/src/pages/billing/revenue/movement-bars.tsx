import type { RevenuePeriod } from '@lodge/shared/billing/revenue.ts'
import styles from './revenue.module.css'
import { t } from './words.ts'

/** With more there is no room for three bars each on a phone, and the end alone is shown. */
const MOST_IN_THREE = 24

const gainedIn = ({ recurring: { new: fresh, reactivated, expansion } }: RevenuePeriod) =>
  fresh + reactivated + expansion
const lostIn = ({ recurring: { contraction, churned } }: RevenuePeriod) => contraction + churned

/** What each period ended with as a bar, between what it gained and what it lost; the table says the same. */
export function MovementBars({ periods }: { periods: readonly RevenuePeriod[] }) {
  const top = Math.max(
    1,
    ...periods.flatMap((one) => [one.recurring.end, gainedIn(one), lostIn(one)]),
  )
  const height = (amount: number) => ({ height: `${(amount / top) * 100}%` })
  return (
    <div aria-hidden className={periods.length > MOST_IN_THREE ? styles.many : undefined}>
      <div className={styles.bars}>
        {periods.map((one) => (
          <div key={one.from}>
            <i style={height(one.recurring.end)} />
            <i style={height(gainedIn(one))} />
            <i style={height(lostIn(one))} />
          </div>
        ))}
      </div>
      <p className={styles.key}>
        <span>{t.end}</span>
        <span>{t.gained}</span>
        <span>{t.lost}</span>
      </p>
    </div>
  )
}
