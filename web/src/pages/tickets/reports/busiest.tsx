import { numberText } from '../../../ui/data/numbers.ts'
import { dateText } from '../../../ui/locale/timestamps.ts'
import { Empty } from '../../../ui/notices/states.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Hidden, type Vars } from '../../../ui/page/layout.tsx'
import styles from './busiest.module.css'
import { t } from './words.ts'

const DAY_MS = 86_400_000
/** Any Monday. */
const MONDAY_MS = Date.UTC(2024, 0, 1)
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

const weekday = (day: number, form: 'short' | 'long'): string =>
  dateText(MONDAY_MS + day * DAY_MS, { timeZone: 'UTC', weekday: form })
const hourText = (hour: number): string => numberText(hour, { minimumIntegerDigits: 2 })

/** When tickets are opened: a row for each weekday, a column for each hour, darker for more. */
export function Busiest({ busiest }: { busiest: readonly (readonly number[])[] }) {
  const most = Math.max(...busiest.flat())
  return (
    <Card title={t.busiest} flush>
      {most === 0 ? (
        <Empty title={t.nothingNew}>{t.nothingNewText}</Empty>
      ) : (
        <div className={styles.frame}>
          <table className={styles.hours} aria-label={t.busiest}>
            <thead>
              <tr>
                <td />
                {HOURS.map((hour) => (
                  <th key={hour} scope="col">
                    {hourText(hour)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {busiest.map((counts, day) => (
                <tr key={weekday(day, 'long')}>
                  <th scope="row" aria-label={weekday(day, 'long')}>
                    {weekday(day, 'short')}
                  </th>
                  {counts.map((count, hour) => (
                    <td
                      key={HOURS[hour]}
                      className={styles.cell}
                      style={{ '--share': `${(count / most) * 100}%` } as Vars}
                      title={t.newAt({ day: weekday(day, 'long'), hour: hourText(hour), count })}
                    >
                      <Hidden>{count}</Hidden>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  )
}
