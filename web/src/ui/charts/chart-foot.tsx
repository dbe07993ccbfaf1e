import type { ReactNode } from 'react'
import styles from './chart-foot.module.css'

/** A remark on all figures of a chart and its table, or a link to more, below both. */
export function ChartFoot({ children }: { children: ReactNode }) {
  return <p className={styles.foot}>{children}</p>
}
