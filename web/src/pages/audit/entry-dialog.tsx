import { Link } from '@tanstack/react-router'
import { Button } from '../../ui/buttons/button.tsx'
import { Copyable } from '../../ui/data/copy.tsx'
import { timestampText } from '../../ui/data/timestamps.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Facts } from '../../ui/page/card.tsx'
import { Column, Row } from '../../ui/page/layout.tsx'
import { Output } from '../../ui/panes/output.tsx'
import type { AuditEntry } from './audit-entry.ts'
import type { AuditSearch } from './audit-search.ts'
import { actorName, pageOf } from './audit-words.ts'
import { Changes } from './changes.tsx'

interface EntryDialogProps {
  entry: AuditEntry
  /** Shows only entries related to this one; absent where there is no such list. */
  onNarrow?: (search: AuditSearch) => void
  onClose: () => void
}

/** All details of one audit entry. */
export function EntryDialog({ entry, onNarrow, onClose }: EntryDialogProps) {
  const { actor, address, targetId, requestId, detail } = entry
  const page = pageOf(entry)
  const narrow = (label: string, search: AuditSearch) =>
    onNarrow ? (
      <Button size="small" kind="quiet" onClick={() => onNarrow(search)}>
        {label}
      </Button>
    ) : null
  // What is not shown as a change.
  const { body: _, before: __, target: ___, ...rest } = detail
  return (
    <Dialog wide opened title={`${actorName(actor)} ${entry.what}`} onClose={onClose}>
      <Column gap={16}>
        <Changes entry={entry} />
        <Facts
          rows={[
            ['When', timestampText(entry.at)],
            [
              'Who',
              <Row key="who">
                {actorName(actor)}
                {actor.id === null ? null : narrow('Only this person', { actor: actor.id })}
              </Row>,
            ],
            [
              'From',
              <Row key="from">
                {address ?? 'Lodge'}
                {address === null ? null : narrow('Only this address', { address })}
              </Row>,
            ],
            ...(targetId === null
              ? []
              : ([
                  [
                    'About',
                    <Row key="target">
                      {page ? (
                        <Link to={page.to} params={{ id: page.id }}>
                          {String(detail.target ?? 'Open')}
                        </Link>
                      ) : null}
                      <Copyable value={targetId} label="Copy the ID" />
                      {narrow('Only this object', { target: targetId })}
                    </Row>,
                  ],
                ] as const)),
            [
              'Action',
              <Row key="action">
                <code>{entry.action}</code>
                {narrow('Only this action', { action: entry.action })}
              </Row>,
            ],
            ...(requestId === null
              ? []
              : ([
                  [
                    'Request',
                    <Copyable key="request" value={requestId} label="Copy the request ID" />,
                  ],
                ] as const)),
            ['Entry', `${entry.seq}, ${entry.sealed ? 'sealed' : 'sealed within a second'}`],
          ]}
        />
        {Object.keys(rest).length === 0 ? null : (
          <Output label="More details" text={JSON.stringify(rest, null, 2)} most={360} />
        )}
      </Column>
    </Dialog>
  )
}
