import type { CustomerNote } from '@lodge/shared/customer-notes.ts'
import { Ago } from '../../ui/data/time.tsx'
import { ActorAvatar } from '../audit/actor-avatar.tsx'
import styles from './customers.module.css'

const authorOf = ({ author }: CustomerNote): string =>
  author === null ? 'A removed administrator' : (author.name ?? author.email)

/** One note with its author and time. */
export function NoteText({ note }: { note: CustomerNote }) {
  return (
    <div className={styles.note}>
      <ActorAvatar name={authorOf(note)} />
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
