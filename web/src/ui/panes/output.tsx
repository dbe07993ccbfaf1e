import styles from './output.module.css'

interface OutputProps {
  label: string
  text: string
  /** Lowest and greatest height in pixels. */
  least?: number
  most?: number
}

/** A region that scrolls must be reachable by keyboard. */
export const SCROLLS = { tabIndex: 0 }

/** Lines of a program or a log, to read and to scroll. */
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
