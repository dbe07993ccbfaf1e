import type { OwnSuspension } from '@lodge/shared/suspensions.ts'
import { timestampText } from '../../ui/locale/timestamps.ts'
import { Note } from '../../ui/notices/note.tsx'
import { Column } from '../../ui/page/layout.tsx'
import styles from './suspensions.module.css'
import { t } from './words.ts'

/** Why the account is suspended, since when, and what still works. */
export function OwnNotice({ suspension }: { suspension: OwnSuspension }) {
  const { reasonCode, reason, startedAt, endsAt, deleteServersAt } = suspension
  const noText = reasonCode === null ? t.ownNoReason : t.ownNoMore
  const facts = [
    t.ownSince({ when: timestampText(startedAt) }),
    suspension.serversStopped ? t.ownStopped : t.ownRunning,
    suspension.mayExportData ? t.ownExport : undefined,
    suspension.mayUseTickets ? t.ownTickets : undefined,
    endsAt === null ? undefined : t.ownUntil({ when: timestampText(endsAt) }),
    deleteServersAt === null ? undefined : t.ownDeletion({ when: timestampText(deleteServersAt) }),
    t.ownNothing,
  ].filter((fact) => fact !== undefined)
  return (
    <Column gap={14}>
      <Note tone="warn" title={reasonCode === null ? t.ownTold : t.reason({ code: reasonCode })}>
        <span className={styles.text}>{reason ?? noText}</span>
      </Note>
      <ul className={styles.facts}>
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </Column>
  )
}
