import { AmendMessage, type TicketMessage } from '@lodge/shared/support/tickets.ts'
import { api } from '../../../../api.ts'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import { AreaField } from '../../../../ui/fields/area-field.tsx'
import { Form, useForm } from '../../../../ui/form/form.tsx'
import { toastDone } from '../../../../ui/notices/toast.tsx'
import { TICKET_KEYS } from '../desk-query.ts'
import { t } from '../words.ts'

interface AmendDialogProps {
  ticketId: string
  message: TicketMessage
  onClose: () => void
}

/** Edits a message that the agent wrote a moment ago. */
export default function AmendDialog({ ticketId, message, onClose }: AmendDialogProps) {
  const form = useForm<{ bodyMarkdown: string }, unknown>({
    initial: { bodyMarkdown: message.bodyMarkdown },
    schema: AmendMessage,
    submit: (body) =>
      api('PATCH /api/support/tickets/{id}/messages/{messageId}', {
        params: { id: ticketId, messageId: message.id },
        body,
      }),
    refreshes: TICKET_KEYS,
    done: () => {
      toastDone(t.amended)
      onClose()
    },
  })
  return (
    <Dialog title={t.amendTitle} opened onClose={onClose} wide>
      <Form form={form} submitText={t.amendVerb} command>
        <AreaField
          label={t.amendField}
          description={t.amendText}
          width="fill"
          rows={8}
          {...form.field('bodyMarkdown')}
        />
      </Form>
    </Dialog>
  )
}
