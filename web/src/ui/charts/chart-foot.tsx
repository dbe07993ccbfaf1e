import styles from './chart-foot.module.css'

/** A remark on all figures of a chart and its table, below both. */
export function ChartFoot({ children }: { children: string }) {
  return <p className={styles.foot}>{children}</p>
}
