import { Button } from '../../ui/buttons/button.tsx'
import { Pill } from '../../ui/data/status.tsx'
import type { Column } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Text } from '../../ui/page/layout.tsx'
import type { AuditEntry } from './audit-entry.ts'

export const actorName = ({ kind, email }: AuditEntry['actor']): string =>
  kind === 'system' ? 'Lodge itself' : (email ?? 'somebody who was removed')

/** An entry as a sentence: who did what to what. */
export function Sentence({ entry: { actor, what } }: { entry: AuditEntry }) {
  return (
    <span>
      <Text strong>{actorName(actor)}</Text> {what}{' '}
      {actor.kind === 'token' ? <Pill tone="info">by token</Pill> : null}
    </span>
  )
}

export const auditColumns = (
  onShow: (entry: AuditEntry) => void,
): readonly Column<AuditEntry>[] => [
  { header: 'What happened', role: 'title', cell: (entry) => <Sentence entry={entry} /> },
  { header: 'When', tight: true, cell: ({ at }) => <Ago at={at} /> },
  { header: 'From', secondary: true, cell: ({ address }) => <Text mono>{address ?? '–'}</Text> },
  {
    header: 'Actions',
    role: 'acts',
    cell: (entry) => (
      <Button
        size="small"
        aria-label={`Details of: ${actorName(entry.actor)} ${entry.what}`}
        onClick={() => onShow(entry)}
      >
        Details
      </Button>
    ),
  },
]
