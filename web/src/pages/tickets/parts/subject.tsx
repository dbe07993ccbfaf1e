import { Hidden } from '../../../ui/page/layout.tsx'
import styles from './subject.module.css'
import { t } from './words.ts'

interface SubjectProps {
  children: string
  unread: boolean
}

/** The subject of a ticket in a list, highlighted while it has unread messages. */
export const Subject = ({ children, unread }: SubjectProps) => (
  <strong className={styles.subject} data-unread={unread || undefined} title={children}>
    {unread ? <Hidden>{t.unread} </Hidden> : null}
    {children}
  </strong>
)
