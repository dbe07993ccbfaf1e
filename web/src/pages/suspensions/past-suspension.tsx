import type { Suspension } from '@lodge/shared/suspensions.ts'
import { timestampText } from '../../ui/locale/timestamps.ts'
import { Column, Text } from '../../ui/page/layout.tsx'
import { AppealCard } from './appeal-card.tsx'
import { Notes } from './notes-card.tsx'
import styles from './suspensions.module.css'
import { t } from './words.ts'

/** A suspension that is over. */
export function PastSuspension({
  customerId,
  suspension,
}: {
  customerId: string
  suspension: Suspension
}) {
  const { reasonCode: code, publicReason, startedAt, liftedAt, liftedBy, erased } = suspension
  const { liftReason, notes, appeals } = suspension
  return (
    <details className={styles.past}>
      <summary>
        <b>{t.reason({ code })}</b>{' '}
        <small>
          {t.ofTime({ from: timestampText(startedAt), to: timestampText(liftedAt ?? startedAt) })}
        </small>
      </summary>
      <Column gap={14}>
        <Text small muted>
          {liftedBy ? t.liftedBy({ email: liftedBy.email }) : t.endedByItself}
        </Text>
        {erased ? <Text small>{t.erased}</Text> : null}
        {publicReason === '' ? null : <p className={styles.text}>{publicReason}</p>}
        {liftReason === null ? null : <p className={styles.text}>{liftReason}</p>}
        {appeals.map((appeal) => (
          <AppealCard key={appeal.id} customerId={customerId} appeal={appeal} />
        ))}
        {notes === null || notes.length === 0 ? null : <Notes notes={notes} />}
      </Column>
    </details>
  )
}
