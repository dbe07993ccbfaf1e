import { EditTicket, MAX_PARTICIPANTS, type TicketThread } from '@lodge/shared/support/tickets.ts'
import { api } from '../../../api.ts'
import { TagsField } from '../../../ui/choices/tags-field.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Text } from '../../../ui/page/layout.tsx'
import { t } from './words.ts'

interface Values {
  participants: readonly string[]
}

interface PeopleDialogProps {
  ticket: TicketThread
  onClose: () => void
}

/** The people in copy, who may read and answer a ticket besides its customer. */
export default function PeopleDialog({ ticket, onClose }: PeopleDialogProps) {
  const { id, version } = ticket
  const bodyOf = ({ participants }: Values) => ({ version, participants: [...participants] })
  const form = useForm<Values, unknown>({
    initial: { participants: ticket.participants.map(({ email }) => email) },
    schema: EditTicket,
    toBody: bodyOf,
    submit: (values) =>
      api('PATCH /api/support/tickets/{id}', { params: { id }, body: bodyOf(values) }),
    nameOf: (pointer) => pointer.split('/')[0] ?? pointer,
    refreshes: ['GET /api/support/tickets/{id}'],
    done: () => {
      toastDone(t.peopleSaved)
      onClose()
    },
  })
  const wrong = Object.entries(form.errors).find(([name]) => name.startsWith('participants'))
  return (
    <Dialog title={t.peopleTitle} opened onClose={onClose}>
      <Form form={form} submitText={t.peopleSave} command>
        <Text muted>{t.peopleText}</Text>
        <TagsField
          label={t.peopleLabel}
          width="fill"
          suggestions={[]}
          most={MAX_PARTICIPANTS}
          {...form.field('participants')}
          error={wrong?.[1]}
        />
      </Form>
    </Dialog>
  )
}
