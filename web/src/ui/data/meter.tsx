import styles from './meter.module.css'

interface MeterProps {
  label: string
  /** Amount in the unit of `of`; null when unknown. */
  value: number | null
  of: number
  /** The same in words: `1.2 of 4 GiB`. */
  text: string
  /** How the amount was measured, if it needs an explanation. */
  note?: string
  /** A second amount, drawn behind the first (allocated behind used). */
  behind?: number
  compact?: boolean
  /** Name and text are for screen readers only. */
  bare?: boolean
  /** Only the name is for screen readers: the page already shows it beside the bar. */
  words?: boolean
}

const share = (value: number, of: number): number =>
  of <= 0 ? 0 : Math.min(100, (value / of) * 100)

/** A bar that shows an amount of a limit; warns from 90 %. */
export function Meter(props: MeterProps) {
  const { label, value, of, text, note, behind, compact, bare, words } = props
  const percent = share(value ?? 0, of)
  const level = percent >= 98 ? styles.over : percent >= 90 ? styles.warn : ''
  return (
    <div className={`${styles.meter} ${compact ? styles.compact : ''}`} title={note}>
      {bare ? null : (
        <div className={styles.head}>
          {words ? null : <b>{label}</b>}
          <span>{text}</span>
        </div>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: <meter> cannot show a second amount behind the first */}
      <div
        role="meter"
        className={styles.track}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(percent)}
        aria-valuetext={note === undefined ? text : `${text}. ${note}`}
      >
        {behind === undefined ? null : (
          <div
            className={`${styles.fill} ${styles.second}`}
            style={{ width: `${share(behind, of)}%` }}
          />
        )}
        <div className={`${styles.fill} ${level}`} style={{ width: `${percent}%` }} />
      </div>
    </div>
  )
}

/** Progress of work; indeterminate until a percentage is known. */
export function Progress({ label, percent }: { label: string; percent: number | null }) {
  return (
    <div
      className={`${styles.progress} ${percent === null ? styles.endless : ''}`}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(percent === null ? {} : { 'aria-valuenow': Math.round(percent) })}
    >
      <div style={percent === null ? {} : { width: `${percent}%` }} />
    </div>
  )
}
