import styles from './prose.module.css'

/** The text of an article. The control plane has removed everything from it that is not text. */
export const Prose = ({ html }: { html: string }) => (
  <div className={styles.prose} dangerouslySetInnerHTML={{ __html: html }} />
)
