import { Hidden } from '../../../ui/page/layout.tsx'
import styles from './subject.module.css'
import { t } from './words.ts'

interface SubjectProps {
  children: string
  unread: boolean
}

/** The subject of a ticket in a list, which stands out while something in it was not read. */
export const Subject = ({ children, unread }: SubjectProps) => (
  <strong className={styles.subject} data-unread={unread || undefined} title={children}>
    {unread ? <Hidden>{t.unread} </Hidden> : null}
    {children}
  </strong>
)
