import { Link } from '@tanstack/react-router'
import { Button } from '../../ui/buttons/button.tsx'
import { Copyable } from '../../ui/data/copy.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { timestampText } from '../../ui/locale/timestamps.ts'
import { Facts } from '../../ui/page/card.tsx'
import { Column } from '../../ui/page/layout.tsx'
import { Output } from '../../ui/panes/output.tsx'
import styles from './audit.module.css'
import type { AuditEntry } from './audit-entry.ts'
import type { AuditSearch } from './audit-search.ts'
import { actorName, pageOf, whatOf } from './audit-words.ts'
import { Changes } from './changes.tsx'
import { pluginMark } from './plugin-mark.tsx'
import { t } from './words.ts'

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
  // The details that are not shown as a change.
  const { body: _, before: __, target: ___, ...rest } = detail
  return (
    <Dialog
      wide
      opened
      title={t.title({ actor: actorName(actor), what: whatOf(entry) })}
      onClose={onClose}
    >
      <Column gap={16}>
        <Changes entry={entry} />
        <Facts
          rows={[
            [t.when, timestampText(entry.at)],
            [
              t.who,
              <div key="who" className={styles.fact}>
                {actorName(actor)}
                {actor.kind === 'plugin' ? pluginMark(entry) : null}
                {actor.id === null ? null : narrow(t.onlyPerson, { actor: actor.id })}
              </div>,
            ],
            [
              t.fromWhere,
              <div key="from" className={styles.fact}>
                {address || t.panel}
                {address ? narrow(t.onlyAddress, { address }) : null}
              </div>,
            ],
            ...(targetId === null
              ? []
              : ([
                  [
                    t.object,
                    <div key="target" className={styles.fact}>
                      {page ? (
                        <Link to={page.to} params={{ id: page.id }}>
                          {String(detail.target ?? t.open)}
                        </Link>
                      ) : null}
                      <Copyable value={targetId} label={t.copyId} />
                      {narrow(t.onlyObject, { target: targetId })}
                    </div>,
                  ],
                ] as const)),
            [
              t.action,
              <div key="action" className={styles.fact}>
                <code>{entry.action}</code>
                {narrow(t.onlyAction, { action: entry.action })}
              </div>,
            ],
            ...(requestId === null
              ? []
              : ([
                  [t.request, <Copyable key="request" value={requestId} label={t.copyRequestId} />],
                ] as const)),
            [
              t.number,
              entry.sealed ? t.sealed({ number: entry.seq }) : t.sealedSoon({ number: entry.seq }),
            ],
          ]}
        />
        {Object.keys(rest).length === 0 ? null : (
          <Output label={t.moreDetails} text={JSON.stringify(rest, null, 2)} most={360} />
        )}
      </Column>
    </Dialog>
  )
}
