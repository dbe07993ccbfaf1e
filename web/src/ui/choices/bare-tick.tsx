import { CheckIcon } from '@mantine/core'
import styles from './bare-tick.module.css'

interface BareTickProps {
  /** For screen readers only. */
  label: string
  checked: boolean
  indeterminate?: boolean
  onChange: (checked: boolean) => void
}

/**
 * Looks like `Tick`. Lists have one in each row, where Mantine's component would take most of the
 * rendering time.
 */
export function BareTick({ label, checked, indeterminate = false, onChange }: BareTickProps) {
  return (
    <div className={styles.tick}>
      <input
        type="checkbox"
        className={`mantine-focus-auto ${styles.box}`}
        ref={(element) => {
          if (element) element.indeterminate = indeterminate
        }}
        aria-label={label}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {indeterminate ? (
        <svg viewBox="0 0 32 6" aria-hidden className={styles.mark}>
          <rect width="32" height="6" fill="currentColor" rx="3" />
        </svg>
      ) : (
        <CheckIcon className={styles.mark} />
      )}
    </div>
  )
}
