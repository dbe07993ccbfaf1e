import styles from './prose.module.css'

/** The text of an article. The control plane has sanitized the HTML. */
export const Prose = ({ html }: { html: string }) => (
  <div className={styles.prose} dangerouslySetInnerHTML={{ __html: html }} />
)
