import type { CSSProperties } from 'react'
import styles from './grouped-bars.module.css'

interface Series<Row> {
  name: string
  /** Number of its chart colour. */
  colour: 1 | 2 | 3
  read: (row: Row) => number
}

interface GroupedBarsProps<Row> {
  rows: readonly Row[]
  keyOf: (row: Row) => string
  series: readonly Series<Row>[]
  heightPx: number
  /** With more rows than this there is no room for all series on a phone, and the first alone is shown. */
  mostInFull?: number
}

/** The bars of each row side by side; a table beside it must contain the same data. */
export function GroupedBars<Row>(props: GroupedBarsProps<Row>) {
  const { rows, keyOf, series, heightPx, mostInFull = Number.POSITIVE_INFINITY } = props
  const top = Math.max(1, ...rows.flatMap((row) => series.map(({ read }) => read(row))))
  return (
    <div aria-hidden className={rows.length > mostInFull ? styles.many : undefined}>
      <div className={styles.bars} style={{ height: heightPx }}>
        {rows.map((row) => (
          <div key={keyOf(row)}>
            {series.map(({ name, colour, read }) => (
              <i
                key={name}
                style={{ ...inColour(colour), height: `${(read(row) / top) * 100}%` }}
              />
            ))}
          </div>
        ))}
      </div>
      <p className={styles.key}>
        {series.map(({ name, colour }) => (
          <span key={name} style={inColour(colour)}>
            {name}
          </span>
        ))}
      </p>
    </div>
  )
}

const inColour = (colour: number) => ({ '--bar': `var(--l-chart-${colour})` }) as CSSProperties
