import { Button } from '../../ui/buttons/button.tsx'
import { Pill } from '../../ui/data/status.tsx'
import type { Column } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'
import styles from '../servers/servers.module.css'
import type { AuditEntry } from './audit-entry.ts'

interface AuditColumns {
  wordsOf: (action: string) => string
  onShow: (entry: AuditEntry) => void
}

/** The thing that was changed as people know it, where the entry says so. */
function named(detail: AuditEntry['detail']): string {
  const body = detail.body
  if (body === null || typeof body !== 'object') return ''
  const { name, email } = body as { name?: unknown; email?: unknown }
  return typeof name === 'string' ? name : typeof email === 'string' ? email : ''
}

export function Actor({ actor }: Pick<AuditEntry, 'actor'>) {
  if (actor.kind === 'system') return <Text muted>Lodge itself</Text>
  return (
    <Row gap={6}>
      <Text>{actor.email ?? 'somebody who was removed'}</Text>
      {actor.kind === 'token' ? <Pill tone="info">Token</Pill> : null}
    </Row>
  )
}

export const auditColumns = (given: AuditColumns): readonly Column<AuditEntry>[] => [
  {
    header: 'What',
    role: 'title',
    cell: (entry) => (
      <div className={styles.name}>
        <Text strong>{given.wordsOf(entry.action)}</Text>
        <small>{named(entry.detail)}</small>
      </div>
    ),
  },
  { header: 'When', cell: ({ at }) => <Ago at={at} /> },
  { header: 'Who', cell: ({ actor }) => <Actor actor={actor} /> },
  { header: 'From', secondary: true, cell: ({ address }) => <Text mono>{address ?? '–'}</Text> },
  {
    header: 'Actions',
    role: 'acts',
    cell: (entry) => (
      <Button
        size="small"
        aria-label={`Details of ${given.wordsOf(entry.action)}`}
        onClick={() => given.onShow(entry)}
      >
        Details
      </Button>
    ),
  },
]
