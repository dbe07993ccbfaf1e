import { type SuspensionNote, WriteSuspensionNote } from '@lodge/shared/suspensions.ts'
import { api, type Reply } from '../../api.ts'
import { useMissing } from '../../session/session.ts'
import { Ago } from '../../ui/data/time.tsx'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import styles from './suspensions.module.css'
import { t } from './words.ts'

interface NotesCardProps {
  customerId: string
  /** Null for those who may not read them. */
  notes: readonly SuspensionNote[] | null
}

/** Staff's notes, which cannot be changed later. */
export function NotesCard({ customerId: id, notes }: NotesCardProps) {
  const missing = useMissing()('suspension.notes')
  const form = useForm<{ text: string }, Reply<'GET /api/customers/{id}/suspension'>>({
    initial: { text: '' },
    schema: WriteSuspensionNote,
    submit: (body) => api('POST /api/customers/{id}/suspension/notes', { params: { id }, body }),
    refreshes: ['GET /api/customers/{id}/suspension'],
    done: () => form.setValues({ text: '' }),
  })
  return (
    <Card title={t.notes}>
      <Column>
        {notes === null ? (
          <Text muted>{missing}</Text>
        ) : notes.length === 0 ? (
          <Text muted>{t.noNotes}</Text>
        ) : (
          <Notes notes={notes} />
        )}
        {notes === null ? null : (
          <Form
            form={form}
            command
            submitText={t.addNote}
            submitKind="default"
            disabledBecause={missing}
          >
            <AreaField
              label={t.note}
              description={t.noteHelp}
              rows={2}
              width="fill"
              {...form.field('text')}
            />
          </Form>
        )}
      </Column>
    </Card>
  )
}

export const Notes = ({ notes }: { notes: readonly SuspensionNote[] }) => (
  <ol className={styles.messages} aria-label={t.notes}>
    {notes.map(({ id, author, text, createdAt }) => (
      <li key={id} className={styles.message}>
        <p className={styles.byline}>
          {rich(
            t.byline({
              author: () => <b>{author ?? t.formerStaff}</b>,
              written: () => <Ago at={createdAt} />,
            }),
          )}
        </p>
        <p className={styles.text}>{text}</p>
      </li>
    ))}
  </ol>
)
