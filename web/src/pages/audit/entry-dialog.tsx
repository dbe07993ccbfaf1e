import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Copyable } from '../../ui/data/copy.tsx'
import { timestampText } from '../../ui/data/timestamps.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Facts } from '../../ui/page/card.tsx'
import { Column, Row } from '../../ui/page/layout.tsx'
import { Output } from '../../ui/panes/output.tsx'
import { actorName } from './audit-columns.tsx'
import type { AuditEntry } from './audit-entry.ts'
import type { AuditSearch } from './audit-filters.tsx'

/** All details of one audit entry. */
export function EntryDialog({
  entry,
  onNarrow,
  onClose,
}: {
  entry: AuditEntry
  /** Shows only entries related to this one. */
  onNarrow: (search: AuditSearch) => void
  onClose: () => void
}) {
  const { targetId, serverId } = entry
  const actorId = entry.actor.id
  return (
    <Dialog wide opened title={`${actorName(entry.actor)} ${entry.what}`} onClose={onClose}>
      <Column gap={14}>
        <Facts
          rows={[
            ['Entry', `${entry.seq}${entry.sealed ? ', sealed' : ', not sealed yet'}`],
            ['When', timestampText(entry.at)],
            [
              'Who',
              <Row key="who">
                {actorName(entry.actor)}
                {actorId === null ? null : (
                  <Button size="small" onClick={() => onNarrow({ actor: actorId })}>
                    All they did
                  </Button>
                )}
              </Row>,
            ],
            ['From', entry.address ?? 'inside'],
            ['Recorded as', <code key="action">{entry.action}</code>],
            ...(targetId === null
              ? []
              : ([
                  [
                    'About',
                    <Row key="target">
                      <Copyable value={targetId} label="Copy the id of the thing" />
                      {targetId === serverId ? (
                        <Link to={paths.server} params={{ id: targetId }}>
                          Server
                        </Link>
                      ) : null}
                      <Button size="small" onClick={() => onNarrow({ target: targetId })}>
                        All about it
                      </Button>
                    </Row>,
                  ],
                ] as const)),
            ...(entry.requestId === null
              ? []
              : ([
                  [
                    'Request',
                    <Copyable key="request" value={entry.requestId} label="Copy the request id" />,
                  ],
                ] as const)),
          ]}
        />
        <Output
          label="What was asked for"
          text={JSON.stringify(entry.detail, null, 2)}
          most={360}
        />
      </Column>
    </Dialog>
  )
}
