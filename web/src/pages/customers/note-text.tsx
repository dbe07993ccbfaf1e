import type { CustomerNote } from '@lodge/shared/customer-notes.ts'
import { Ago } from '../../ui/data/time.tsx'
import { Avatar } from '../../ui/icons/avatar.tsx'
import styles from './customers.module.css'

const authorOf = ({ author }: CustomerNote): string =>
  author === null ? 'A removed administrator' : (author.name ?? author.email)

/** One note with its author and time. */
export function NoteText({ note }: { note: CustomerNote }) {
  return (
    <div className={styles.note}>
      <Avatar email={note.author?.email ?? authorOf(note)} name={note.author?.name} />
      <div>
        <p className={styles.byline}>
          <b>{authorOf(note)}</b> <Ago at={note.createdAt} />
          {note.editedAt === null ? null : (
            <>
              {', changed '}
              <Ago at={note.editedAt} />
            </>
          )}
        </p>
        <p className={styles.content}>{note.content}</p>
      </div>
    </div>
  )
}
