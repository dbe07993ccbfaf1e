import { Empty } from '../../../ui/notices/states.tsx'
import styles from './desk.module.css'
import { t } from './words.ts'

/** The pane beside the list while no ticket is open. */
export default function NoTicket() {
  return (
    <section className={styles.none} aria-label={t.ticket}>
      <Empty title={t.chooseOne} art="mail">
        {t.chooseOneText}
      </Empty>
    </section>
  )
}
