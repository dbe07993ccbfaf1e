import type { ReactNode } from 'react'
import styles from './new-server.module.css'

/** The head of a summary: what is made, under which name. */
export const Chosen = ({ icon, what, name }: { icon: ReactNode; what: string; name: string }) => (
  <div className={styles.chosen}>
    {icon}
    <div>
      <b>{name.trim() === '' ? 'No name yet' : name}</b>
      <small>{what}</small>
    </div>
  </div>
)
