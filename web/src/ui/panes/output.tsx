import styles from './output.module.css'

interface OutputProps {
  label: string
  text: string
  /** Minimum and maximum height in pixels. */
  least?: number
  most?: number
}

/** A scrollable region must be reachable by keyboard. */
export const SCROLLS = { tabIndex: 0 }

/** Scrollable output of a program or a log. */
export function Output({ label, text, least = 0, most = 260 }: OutputProps) {
  return (
    <section
      className={styles.output}
      style={{ minHeight: least, maxHeight: most }}
      aria-label={label}
      {...SCROLLS}
    >
      <pre>{text}</pre>
    </section>
  )
}
