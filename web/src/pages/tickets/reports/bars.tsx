import type { ReportTime } from '@lodge/shared/support/reports.ts'
import styles from './reports.module.css'
import { t } from './words.ts'

/** New and solved tickets side by side for each day or week; the table below says the same. */
export function Bars({ times }: { times: readonly ReportTime[] }) {
  const top = Math.max(1, ...times.flatMap(({ created, solved }) => [created, solved]))
  const height = (count: number) => ({ height: `${(count / top) * 100}%` })
  return (
    <div aria-hidden>
      <div className={styles.bars}>
        {times.map(({ from, created, solved }) => (
          <div key={from}>
            <i style={height(created)} />
            <i style={height(solved)} />
          </div>
        ))}
      </div>
      <p className={styles.key}>
        <span>{t.created}</span>
        <span>{t.solved}</span>
      </p>
    </div>
  )
}
