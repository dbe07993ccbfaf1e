import type { Attachment } from '@lodge/shared/attachments.ts'
import { AnswerAppeal } from '@lodge/shared/suspensions.ts'
import { api, type Reply } from '../../api.ts'
import { useMissing } from '../../session/session.ts'
import { Segments } from '../../ui/choices/segments.tsx'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { AttachmentPicker } from './attachment-picker.tsx'
import { t } from './words.ts'

interface Values {
  decision: 'none' | 'grant' | 'reject'
  message: string
  attachments: readonly Attachment[]
}

const NOTHING: Values = { message: '', attachments: [], decision: 'none' }

/** Answers the open appeal of a customer; grants or rejects it. */
export function AnswerForm({ customerId: id }: { customerId: string }) {
  const missing = useMissing()('suspension.manage')
  const bodyOf = ({ message, attachments, decision }: Values) => ({
    message,
    attachments: attachments.map((file) => file.id),
    ...(decision !== 'none' && { decision }),
  })
  const form = useForm<Values, Reply<'GET /api/customers/{id}/suspension'>>({
    initial: NOTHING,
    schema: AnswerAppeal,
    toBody: bodyOf,
    submit: (values) =>
      api('POST /api/customers/{id}/suspension/reply', { params: { id }, body: bodyOf(values) }),
    refreshes: [
      'GET /api/customers/{id}/suspension',
      'GET /api/customers/{id}',
      'GET /api/customers',
      'GET /api/overview',
    ],
    done: () => {
      form.setValues(NOTHING)
      toastDone(t.answered)
    },
  })
  return (
    <Form form={form} submitText={t.sendAnswer} disabledBecause={missing}>
      <AreaField label={t.answer} rows={4} width="fill" {...form.field('message')} />
      <AttachmentPicker
        address={`/api/customers/${encodeURIComponent(id)}/suspension/attachments`}
        value={form.values.attachments}
        onChange={(files) => form.set('attachments', files)}
      />
      <Segments
        label={t.decision}
        value={form.values.decision}
        choices={[
          { value: 'none', label: t.keepOpen },
          { value: 'grant', label: t.grant },
          { value: 'reject', label: t.reject },
        ]}
        onChange={(next) => form.set('decision', next)}
      />
    </Form>
  )
}
