import type { ReactNode } from 'react'
import styles from './new-server.module.css'
import { t } from './words.ts'

/** The head of a summary: what is created, and its name. */
export const Chosen = ({ icon, what, name }: { icon: ReactNode; what: string; name: string }) => (
  <div className={styles.chosen}>
    {icon}
    <div>
      <b>{name.trim() === '' ? t.noName : name}</b>
      <small>{what}</small>
    </div>
  </div>
)
