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
import { Empty, LoadFailed, Skeletons } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column, Row } from '../../ui/page/layout.tsx'
import styles from './customers.module.css'
import { NoteText } from './note-text.tsx'
import { useCustomer } from './use-customer.ts'

const LIST = ['GET /api/customers/{id}/notes'] as const

/** What staff wrote about a customer, who never sees it. */
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
      <Card title="New note">
        <NoteForm id={id} disabledBecause={missing} />
      </Card>
      <Card title="Notes" flush>
        {notes.data === undefined ? (
          notes.isError ? (
            <LoadFailed error={notes.error} onRetry={() => void notes.refetch()} />
          ) : (
            <Skeletons lines={4} />
          )
        ) : items.length === 0 ? (
          <Empty title="No notes yet" art="story">
            Write down what colleagues should know about this customer. Customers never see it.
          </Empty>
        ) : (
          <ol className={styles.notes} aria-label="Notes, newest first">
            {items.map((note) => (
              <NoteItem key={note.id} customerId={id} note={note} disabledBecause={missing} />
            ))}
          </ol>
        )}
      </Card>
      {notes.hasNextPage ? (
        <Row>
          <Button busy={notes.isFetchingNextPage} onClick={() => void notes.fetchNextPage()}>
            Show older notes
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
      submitText={note ? 'Save note' : 'Add note'}
      submitKind={note ? 'primary' : 'default'}
      disabledBecause={disabledBecause}
      beside={
        onDone ? (
          <Button kind="quiet" onClick={onDone}>
            Cancel
          </Button>
        ) : undefined
      }
    >
      <AreaField
        label="Note"
        description="Only staff can read it"
        rows={3}
        {...form.field('content')}
      />
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
        label="Actions for this note"
        size="small"
        entries={[
          {
            label: 'Edit note',
            icon: <Pencil />,
            disabledBecause,
            onSelect: () => setOpen('edit'),
          },
          {
            label: 'Delete note…',
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
        title="Delete note"
        verb="Delete note"
        onConfirm={() => remove.mutateAsync({ params: { id: customerId, noteId: note.id } })}
      >
        The note is deleted for everybody. This can’t be undone.
      </ConfirmDialog>
    </li>
  )
}
