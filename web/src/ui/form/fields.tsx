import type { ReactNode } from 'react'
import styles from './form.module.css'

/** Fields below each other, inside a card of a form. */
export const Fields = ({ children }: { children: ReactNode }) => (
  <div className={styles.form}>{children}</div>
)
