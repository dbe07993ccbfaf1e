import { type CustomerNote, WriteNote } from '@lodge/shared/customer-notes.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { api } from '../../api.ts'
import { useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ActionMenu } from '../../ui/buttons/menu.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { Empty, LoadFailed, Skeletons } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column, Row } from '../../ui/page/layout.tsx'
import styles from './customers.module.css'
import { NoteText } from './note-text.tsx'
import { useCustomer } from './use-customer.ts'
import { t } from './words.ts'

const LIST = ['GET /api/customers/{id}/notes'] as const

/** Staff's notes about a customer, who never sees them. */
export default function NotesTab() {
  const { id } = useCustomer()
  const missing = useMissing()('customers.notes')
  const notes = useInfiniteQuery({
    queryKey: [LIST[0], { params: { id } }, 'all'],
    queryFn: ({ pageParam }) =>
      api(LIST[0], {
        params: { id },
        query: { limit: 25, ...(pageParam === '' ? {} : { after: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  const items = notes.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Column gap={24}>
      <Card title={t.newNote}>
        <NoteForm id={id} disabledBecause={missing} />
      </Card>
      <Card title={t.notes} flush>
        {notes.data === undefined ? (
          notes.isError ? (
            <LoadFailed error={notes.error} onRetry={() => void notes.refetch()} />
          ) : (
            <Skeletons lines={4} />
          )
        ) : items.length === 0 ? (
          <Empty title={t.noNotes} art="story">
            {t.noNotesText}
          </Empty>
        ) : (
          <ol className={styles.notes} aria-label={t.notesInOrder}>
            {items.map((note) => (
              <NoteItem key={note.id} customerId={id} note={note} disabledBecause={missing} />
            ))}
          </ol>
        )}
      </Card>
      {notes.hasNextPage ? (
        <Row>
          <Button busy={notes.isFetchingNextPage} onClick={() => void notes.fetchNextPage()}>
            {t.olderNotes}
          </Button>
        </Row>
      ) : null}
    </Column>
  )
}

interface NoteFormProps {
  id: string
  /** Absent for a new one. */
  note?: CustomerNote
  disabledBecause?: string | undefined
  onDone?: () => void
}

function NoteForm({ id, note, disabledBecause, onDone }: NoteFormProps) {
  const form = useForm<{ content: string }, CustomerNote>({
    initial: { content: note?.content ?? '' },
    schema: WriteNote,
    submit: (body) =>
      note
        ? api('PATCH /api/customers/{id}/notes/{noteId}', {
            params: { id, noteId: note.id },
            body,
          })
        : api('POST /api/customers/{id}/notes', { params: { id }, body }),
    refreshes: LIST,
    done: () => {
      form.setValues({ content: '' })
      onDone?.()
    },
  })
  return (
    <Form
      form={form}
      command
      submitText={note ? t.saveNote : t.addNote}
      submitKind={note ? 'primary' : 'default'}
      disabledBecause={disabledBecause}
      onCancel={onDone}
    >
      <UnsavedGuard
        changes={form.values.content !== (note?.content ?? '')}
        isSaving={() => form.busy}
      />
      <AreaField label={t.note} description={t.noteHelp} rows={3} {...form.field('content')} />
    </Form>
  )
}

interface NoteItemProps {
  customerId: string
  note: CustomerNote
  disabledBecause: string | undefined
}

function NoteItem({ customerId, note, disabledBecause }: NoteItemProps) {
  const remove = useAct('DELETE /api/customers/{id}/notes/{noteId}', LIST)
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const close = () => setOpen(undefined)
  if (open === 'edit')
    return (
      <li>
        <div className={styles.edited}>
          <NoteForm id={customerId} note={note} onDone={close} />
        </div>
      </li>
    )
  return (
    <li>
      <NoteText note={note} />
      <ActionMenu
        label={t.actionsForNote}
        size="small"
        entries={[
          {
            label: t.editNote,
            icon: <Pencil />,
            disabledBecause,
            onSelect: () => setOpen('edit'),
          },
          {
            label: t.deleteNoteEntry,
            icon: <Trash2 />,
            danger: true,
            disabledBecause,
            onSelect: () => setOpen('delete'),
          },
        ]}
      />
      <ConfirmDialog
        opened={open === 'delete'}
        onClose={close}
        title={t.deleteNote}
        verb={t.deleteNote}
        onConfirm={() => remove.mutateAsync({ params: { id: customerId, noteId: note.id } })}
      >
        {t.deleteNoteText}
      </ConfirmDialog>
    </li>
  )
}
