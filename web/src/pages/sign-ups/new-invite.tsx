import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Form, useForm } from '../../ui/form.tsx'
import { NumberField } from '../../ui/measure-fields.tsx'
import { TextField } from '../../ui/text-field.tsx'

interface Values {
  note: string
  email: string
  maxUses: number | undefined
  expiresInDays: number | undefined
}
const EMPTY: Values = { note: '', email: '', maxUses: 1, expiresInDays: 14 }

/** A new invitation; its code goes to whoever asked, once. */
export function NewInvite({ onMade }: { onMade: (code: string) => void }) {
  const client = useQueryClient()
  const form = useForm<Values, { code: string }>({
    initial: EMPTY,
    submit: ({ note, email, maxUses, expiresInDays }) =>
      api('POST /api/signup/invites', {
        body: {
          ...(note.trim() === '' ? {} : { note: note.trim() }),
          ...(email.trim() === '' ? {} : { email: email.trim() }),
          ...(maxUses === undefined ? {} : { maxUses }),
          ...(expiresInDays === undefined ? {} : { expiresInDays }),
        },
      }),
    done: ({ code }) => {
      form.setValues(EMPTY)
      void client.invalidateQueries({ queryKey: ['GET /api/signup/invites'] })
      onMade(code)
    },
  })
  return (
    <Form form={form} submitText="Create invitation">
      <TextField
        label="Note (optional)"
        description="Only your team sees it"
        autoComplete="off"
        {...form.field('note')}
      />
      <TextField
        label="Only for this e-mail (optional)"
        type="email"
        autoComplete="off"
        {...form.field('email')}
      />
      <NumberField
        label="Uses"
        description="How many people may use it"
        {...form.field('maxUses')}
      />
      <NumberField
        label="Days until it ends"
        placeholder="never"
        description="Leave empty for no end"
        {...form.field('expiresInDays')}
      />
    </Form>
  )
}
