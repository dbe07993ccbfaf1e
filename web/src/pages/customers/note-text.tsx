import type { CustomerNote } from '@lodge/shared/customer-notes.ts'
import { Ago } from '../../ui/data/time.tsx'
import { Avatar } from '../../ui/icons/avatar.tsx'
import { rich } from '../../ui/page/rich.ts'
import styles from './customers.module.css'
import { t } from './words.ts'

const authorOf = ({ author }: CustomerNote): string =>
  author === null ? t.formerAuthor : (author.name ?? author.email)

/** One note with its author and time. */
export function NoteText({ note }: { note: CustomerNote }) {
  const { createdAt, editedAt } = note
  const author = () => <b>{authorOf(note)}</b>
  const written = () => <Ago at={createdAt} />
  return (
    <div className={styles.note}>
      <Avatar email={note.author?.email ?? authorOf(note)} name={note.author?.name} />
      <div>
        <p className={styles.byline}>
          {rich(
            editedAt === null
              ? t.byline({ author, written })
              : t.bylineEdited({ author, written, edited: () => <Ago at={editedAt} /> }),
          )}
        </p>
        <p className={styles.content}>{note.content}</p>
      </div>
    </div>
  )
}
