import { Hidden } from '../../ui/page/layout.tsx'
import styles from './audit.module.css'
import type { AuditEntry } from './audit-entry.ts'
import { type Change, changesOf } from './audit-words.ts'
import { t } from './words.ts'

/** The fields that a change set, beside their former values. */
export function Changes({ entry }: { entry: AuditEntry }) {
  const changes = changesOf(entry)
  if (changes.length === 0) return null
  const compared = changes.some(({ before }) => before !== undefined)
  return (
    <table className={styles.changes} aria-label={t.changed}>
      <thead>
        <tr>
          <th scope="col">{t.field}</th>
          {compared ? <th scope="col">{t.before}</th> : null}
          <th scope="col">{compared ? t.after : t.value}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <Line key={change.field} change={change} compared={compared} />
        ))}
      </tbody>
    </table>
  )
}

function Line({ change, compared }: { change: Change; compared: boolean }) {
  const { field, before, after } = change
  if (before === after)
    return (
      <tr data-same>
        <th scope="row">{field}</th>
        <td colSpan={2}>{t.unchanged({ value: after })}</td>
      </tr>
    )
  return (
    <tr>
      <th scope="row">{field}</th>
      {compared ? (
        <td>{before === undefined ? <Hidden>{t.notRecorded}</Hidden> : <del>{before}</del>}</td>
      ) : null}
      <td>
        <ins>{after}</ins>
      </td>
    </tr>
  )
}
